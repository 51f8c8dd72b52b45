// Makes an agent session in a language: six tasks, each with reading, logs, a failed try, an edit and a report. Later tasks lean on
// facts of earlier ones that no tool shows again. The same seed gives the same bytes.
import { seededRandom } from '../../../src/apps/cli/bench/statistics/random.ts';
import { fillTemplate, TASKS, type TaskFacts, taskFacts } from './facts.ts';
import type { Language, Template } from './language.ts';

/** A Chat Completions message. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

const PROSE_SENTENCES = 16;
const CODE_FUNCTIONS = 3;
const LOG_LINES = 29;

export function makeSession(language: Language, seed: number): readonly ChatMessage[] {
  const writer = new SessionWriter(language, seededRandom(seed));
  for (let task = 0; task < TASKS; task += 1) writer.play(task);
  return writer.messages;
}

class SessionWriter {
  readonly messages: ChatMessage[] = [];
  private readonly language: Language;
  private readonly random: () => number;
  private readonly facts: readonly TaskFacts[];
  private calls = 0;

  constructor(language: Language, random: () => number) {
    this.language = language;
    this.random = random;
    this.facts = Array.from({ length: TASKS }, (_, index) => taskFacts(index, random, language.people));
    this.messages.push({ role: 'system', content: language.system });
  }

  play(task: number): void {
    const { asks, constraints, plans, decisions, reports, errors } = this.language;
    const fill = (template: Template) => this.fill(template, task);
    const { path, ticket, key, value, module, host } = this.facts[task]!;
    this.messages.push({ role: 'user', content: `${fill(asks[task]!)} ${fill(constraints[task]!)}` });
    this.call({ say: fill(plans[task]!), tool: 'read_file', values: { path: `docs/${module}.md` }, result: this.document(task) });
    this.call({ tool: 'read_file', values: { path }, result: this.code(task) });
    this.call({ tool: 'run', values: { command: `journal --host ${host} --unit ${module} --lines ${LOG_LINES}` }, result: this.log(task) });
    this.call({ tool: 'run', values: { command: `npm test -- ${module}` }, result: `${fill(this.pick(errors))}\n${this.log(task, 4)}` });
    const decision = fill(decisions[task]!);
    this.call({ say: [decision, ...this.recall(task)].join(' '), tool: 'edit_file', values: this.edit(task, decision), result: 'ok' });
    this.call({ tool: 'run', values: { command: `npm test -- ${module}` }, result: `${LOG_LINES} passed, 0 failed` });
    this.call({ tool: 'note', values: { ticket, text: `${key} = ${value}. ${decision}` }, result: 'saved' });
    if (task === TASKS - 1) this.call({ tool: 'write_file', values: { path: 'docs/decisions.md', content: this.summary() }, result: 'ok' });
    this.messages.push({ role: 'assistant', content: fill(this.pick(reports)) });
  }

  private fill(template: Template, task: number): string {
    const before = this.facts[Math.max(0, task - 2)]!;
    const old = Object.fromEntries(Object.entries(before).map(([name, value]) => [`old_${name}`, value]));
    return fillTemplate(template, { ...this.facts[task]!, ...old }, this.random);
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)]!;
  }

  /** So many different items, in a drawn order. */
  private draw<Item>(items: readonly Item[], count: number): readonly Item[] {
    const rest = [...items];
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(Math.floor(this.random() * rest.length), 1)[0]!);
  }

  private call(made: { readonly say?: string; readonly tool: string; readonly values: object; readonly result: string }): void {
    this.calls += 1;
    const id = `call_${String(this.calls).padStart(4, '0')}`;
    const call = { id, type: 'function', function: { name: made.tool, arguments: JSON.stringify(made.values) } };
    this.messages.push({ role: 'assistant', content: made.say ?? null, tool_calls: [call] });
    this.messages.push({ role: 'tool', tool_call_id: id, content: made.result });
  }

  /** What the agent remembers of the task before the last one. */
  private recall(task: number): readonly string[] {
    return task < 2 ? [] : this.draw(this.language.recalls, 2).map((template) => this.fill(template, task));
  }

  private document(task: number): string {
    const { documentTitle, headings, prose } = this.language;
    const sentences = this.draw(prose, PROSE_SENTENCES).map((template) => this.fill(template, task));
    const parts = headings.map(
      (heading, index) => `## ${heading}\n${sentences.filter((_, at) => at % headings.length === index).join(' ')}`,
    );
    return `# ${this.fill(documentTitle, task)}\n\n${parts.join('\n\n')}\n`;
  }

  private code(task: number): string {
    const { module, key, value, table, host, code } = this.facts[task]!;
    const comments = this.draw(this.language.comments, CODE_FUNCTIONS);
    const functions = comments.map((comment, index) => {
      const name = `${module}${['Claim', 'Settle', 'Sweep'][index]}`;
      return `// ${comment}\nexport async function ${name}(store: Store, limit = ${value}): Promise<number> {\n  const rows = await store.query('${table}', { limit });\n  if (rows.length > settings.${key}) throw new Failure('${code}');\n  return rows.length;\n}\n`;
    });
    return `import { Failure, settings, type Store } from '../shared/index.ts';\n\nconst HOST = '${host}';\n\n${functions.join('\n')}`;
  }

  private log(task: number, lines = LOG_LINES): string {
    return Array.from({ length: lines }, (_, index) => {
      const time = `2024-03-0${task + 1}T0${index % 9}:${10 + ((index * 7) % 50)}:00Z`;
      return `${time} ${this.fill(this.pick(this.language.logs), task)}`;
    }).join('\n');
  }

  private edit(task: number, decision: string): object {
    const { path, key, value, module, table } = this.facts[task]!;
    return {
      path,
      old_string: `settings.${key}`,
      new_string: `// ${decision}\n  const allowed = Math.min(settings.${key}, ${value});\n  await ${module}Sweep(store, allowed); // ${table}`,
    };
  }

  /** Everything that was decided, from memory. */
  private summary(): string {
    return this.facts
      .map(({ ticket, module, key, value, path, host, code }, task) => {
        const decision = this.fill(this.language.decisions[task]!, task);
        return `## ${ticket} ${module}\n\n${decision}\n\n- ${key} = ${value}\n- ${path}\n- ${host}, ${code}\n`;
      })
      .join('\n');
  }
}
