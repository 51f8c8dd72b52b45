// The flat form of a transcript that the oracle reads: one event for each thing somebody said, called or got back.

export type EventKind = 'system' | 'user' | 'assistant' | 'thinking' | 'call' | 'result';

export interface FlatEvent {
  readonly kind: EventKind;
  /** What can be read in it. Of a call: the values of its arguments, one a line, without keys and without the tool's name. */
  readonly text: string;
  readonly tokens: number;
  /** Index of the message that holds it, behind the preamble's; -1 for the preamble. */
  readonly message: number;
  /** Of a user event: what a person wrote, without what a client put around it. '' when nothing is left. */
  readonly genuine?: string;
}

/** True for what the agent itself wrote. */
export function isAgentEvent({ kind }: FlatEvent): boolean {
  return kind === 'assistant' || kind === 'thinking' || kind === 'call';
}

/** True for what was shown to the agent while it worked: facts that stand here first were supplied again. */
export function isSupply({ kind }: FlatEvent): boolean {
  return kind === 'user' || kind === 'result';
}
