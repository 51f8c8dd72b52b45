// What a language brings to a made-up agent session. Braces are slots that the session fills with the facts of a task.

/** Slots: module, path, key, value, ticket, code, table, person, host, version; old_… are those of an earlier task. */
export type Template = string;

export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  readonly system: string;
  readonly people: readonly string[];
  /** What the user asks, one for each task, in order. */
  readonly asks: readonly Template[];
  /** Added to an ask: what must or must not be done. */
  readonly constraints: readonly Template[];
  /** What the agent says before it works. */
  readonly plans: readonly Template[];
  /** Prose of a document that a tool shows. */
  readonly prose: readonly Template[];
  /** Comments in code. */
  readonly comments: readonly Template[];
  /** Lines of a log. */
  readonly logs: readonly Template[];
  /** What went wrong. */
  readonly errors: readonly Template[];
  /** What the agent decides, and why. */
  readonly decisions: readonly Template[];
  /** What the agent writes of earlier tasks, without looking again. */
  readonly recalls: readonly Template[];
  /** What the agent says at the end of a task. */
  readonly reports: readonly Template[];
  /** Title of a document, and heading of its parts. */
  readonly documentTitle: Template;
  readonly headings: readonly string[];
}
