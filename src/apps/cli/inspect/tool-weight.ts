// What each tool put into the context: its calls and their results.
import type { PartWeight } from './part-weight.ts';

export interface ToolWeight {
  readonly name: string;
  readonly calls: number;
  /** Tokens of the calls with their arguments. */
  readonly callTokens: number;
  readonly resultTokens: number;
  readonly largestResultTokens: number;
  /** Results marked as errors. */
  readonly errors: number;
}

/** Largest first. Results whose call is not there are one tool named `(unknown)`. */
export function weighTools(weights: readonly PartWeight[]): ToolWeight[] {
  const tools = new Map<string, { -readonly [Key in keyof ToolWeight]: ToolWeight[Key] }>();
  for (const { part, call, tokens } of weights) {
    if (part?.kind !== 'call' && part?.kind !== 'result') continue;
    const name = call?.name ?? '(unknown)';
    const tool = tools.get(name) ?? { name, calls: 0, callTokens: 0, resultTokens: 0, largestResultTokens: 0, errors: 0 };
    tools.set(name, tool);
    if (part.kind === 'call') {
      tool.calls += 1;
      tool.callTokens += tokens;
    } else {
      tool.resultTokens += tokens;
      tool.largestResultTokens = Math.max(tool.largestResultTokens, tokens);
      if (part.isError === true) tool.errors += 1;
    }
  }
  return [...tools.values()].sort((a, b) => b.resultTokens + b.callTokens - (a.resultTokens + a.callTokens));
}
