// What both OpenAI APIs ask of a call: the name of its tool, its arguments, the length of its ids.
import { type Findings, isJson, stringOf, type ValidateOptions } from './rules.ts';

/** Whom the rules are asked for, and where what breaks them is collected. */
export interface Check {
  readonly options: ValidateOptions;
  readonly findings: Findings;
}

/** No server is known to take more. */
const MAX_NAME_LENGTH = 128;
const MAX_HOSTED_NAME_LENGTH = 64;
const HOSTED_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The name of a tool that is declared or called. */
export function checkToolName(name: unknown, path: string, { options, findings }: Check): void {
  const isValid = typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH;
  if (isValid && (options.strict !== 'openai' || HOSTED_NAME.test(name))) return;
  const limit = options.strict === 'openai' ? MAX_HOSTED_NAME_LENGTH : MAX_NAME_LENGTH;
  findings.add('tool-name', path, `Invalid '${path}': expected a name of 1 to ${limit} characters.`);
}

/** The arguments of a function: JSON in a string, or none. */
export function checkArguments(value: unknown, path: string, { findings }: Check): void {
  const text = stringOf(value);
  if (text !== undefined && (text === '' || isJson(text))) return;
  findings.add('tool-arguments', path, `Invalid '${path}': the text is not valid JSON.`);
}

/** What the hosted API says of an id that is too long. */
export function tooLongRule(name: string, length: number, limit: number): string {
  return `Invalid '${name}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`;
}
