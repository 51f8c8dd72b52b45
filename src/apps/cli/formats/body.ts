// Request bodies of the three APIs from raw texts.
import { rawArray, rawObject } from './raw-json.ts';

/** Anthropic requires the member; a transcript does not say what was asked for. */
const DEFAULT_MAX_TOKENS = 8192;
/** For a file that does not name its model. */
const UNKNOWN_MODEL = 'unknown';

export interface BodyParts {
  readonly model?: string;
  /** System text. */
  readonly system?: string;
  /** Raw text of the `tools` member. */
  readonly tools?: string;
  /** Raw texts of the messages or input items. */
  readonly messages: readonly string[];
}

const quoted = (text: string | undefined) => (text === undefined ? undefined : JSON.stringify(text));

export function anthropicBody(parts: BodyParts): string {
  return rawObject({
    model: quoted(parts.model ?? UNKNOWN_MODEL),
    max_tokens: String(DEFAULT_MAX_TOKENS),
    system: quoted(parts.system),
    tools: parts.tools,
    messages: rawArray(parts.messages),
  });
}

/** The system text becomes the first message. */
export function chatBody(parts: BodyParts): string {
  const lead = parts.system === undefined ? [] : [chatMessage('system', parts.system)];
  return rawObject({ model: quoted(parts.model ?? UNKNOWN_MODEL), messages: rawArray([...lead, ...parts.messages]), tools: parts.tools });
}

export function responsesBody(parts: BodyParts): string {
  return rawObject({
    model: quoted(parts.model ?? UNKNOWN_MODEL),
    instructions: quoted(parts.system),
    input: rawArray(parts.messages),
    tools: parts.tools,
  });
}

/** A Chat message with a text. */
export function chatMessage(role: 'system' | 'user' | 'assistant', text: string): string {
  return JSON.stringify({ role, content: text });
}

/** An Anthropic message from raw block texts, or from a raw string. */
export function anthropicMessage(role: 'user' | 'assistant', content: string | readonly string[]): string {
  return rawObject({ role: JSON.stringify(role), content: typeof content === 'string' ? content : rawArray(content) });
}

/** An Anthropic text block. */
export function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text });
}
