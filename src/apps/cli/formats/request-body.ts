// Request bodies of the three APIs as they are, bare arrays of messages, one message a line, and logs that hold a body among other things.
import type { Api } from '../../../core/transcript/entry.ts';
import { anthropicBody, chatBody, responsesBody } from './body.ts';
import type { Document } from './document.ts';
import { apiOfBody, apiOfMessages } from './message-kind.ts';
import { messageLine } from './message-line.ts';
import { rawElements, rawMembers, rawObject } from './raw-json.ts';
import { type FormatReader, unexpected } from './reader.ts';
import { asObjects, asText, isObject, type Json, type Transcript } from './transcript.ts';

/** Where messages stand in the bodies and logs that are known: tau-bench says `traj`, Responses says `input`. */
const MESSAGE_KEYS = ['messages', 'input', 'traj'] as const;

const EMPTY_LIST = /^\[\s*\]$/;

interface Found {
  readonly api: Api;
  /** The object around the messages; empty for a bare array. */
  readonly body: Json;
  readonly key?: (typeof MESSAGE_KEYS)[number];
  readonly messages: readonly unknown[];
  readonly raws: readonly string[];
}

const BODY_BUILDERS = { anthropic: anthropicBody, 'openai-chat': chatBody, 'openai-responses': responsesBody };

/** The reader of one API's bodies. With --format it takes what the content alone would leave open. */
function readerOf(api: Api, expected: string): FormatReader {
  return {
    format: api,
    expected,
    recognises: (document) => find(document)?.api === api,
    read(document) {
      const found = find(document);
      if (found === undefined) throw unexpected(document, 1, expected);
      return read(document, { ...found, api });
    },
  };
}

export const chatReader = readerOf('openai-chat', 'a JSON object with "messages", an array of messages, or one message a line');
export const responsesReader = readerOf('openai-responses', 'a JSON object with "input", or an array of input items');
export const anthropicReader = readerOf('anthropic', 'a JSON object with "messages", an array of messages, or one message a line');

function find(document: Document): Found | undefined {
  const { value, text, lines } = document;
  if (Array.isArray(value)) {
    return isMessages(value)
      ? { api: apiOfMessages(asObjects(value)) ?? 'openai-chat', body: {}, messages: value, raws: rawElements(text) }
      : undefined;
  }
  if (isObject(value)) return findInBody(value, text);
  const messages = lines.map((line) => line.value);
  if (!isMessages(messages)) return undefined;
  return { api: apiOfMessages(messages) ?? 'openai-chat', body: {}, messages, raws: lines.map((line) => line.text) };
}

/** At least one thing that is a message, so that a damaged one among them is named and not taken for another format. */
function isMessages(values: readonly unknown[]): boolean {
  return asObjects(values).some((value) => ('role' in value && !('parts' in value)) || apiOfMessages([value]) === 'openai-responses');
}

function findInBody(body: Json, text: string): Found | undefined {
  const key = MESSAGE_KEYS.find((name) => Array.isArray(body[name]) || (name === 'input' && typeof body[name] === 'string'));
  if (key === undefined) return undefined;
  const value = body[key];
  if (typeof value === 'string') return { api: 'openai-responses', body, key, messages: [value], raws: [] };
  const messages = value as readonly unknown[];
  const own = apiOfMessages(asObjects(messages));
  const api = key === 'input' ? 'openai-responses' : own === undefined || own === 'openai-responses' ? apiOfBody(body) : own;
  return { api, body, key, messages, raws: rawElements(rawMembers(text).get(key)) };
}

function read(document: Document, found: Found): Transcript {
  const { api, body, messages } = found;
  if (messages.length === 0) throw unexpected(document, 1, `at least one message in "${found.key ?? 'the array'}"`);
  messages.forEach((message, index) => {
    const isSound = typeof message === 'string' || (isObject(message) && ('role' in message || 'type' in message));
    if (!isSound) throw unexpected(document, messageLine(document, found.key, index), `message ${index} to be an object with a "role"`);
  });
  const response = isObject(body.response) ? body.response : {};
  const usage = isObject(response.usage) ? response.usage : {};
  const measured = usage.prompt_tokens ?? undefined;
  return {
    format: api,
    api,
    preamble: preambleOf(found),
    model: asText(body.model) ?? asText(response.model),
    bodyText: bodyTextOf(document, found, asText(response.model)),
    notes: [],
    measuredTokens: typeof measured === 'number' ? measured : undefined,
  };
}

/** A real request body is passed on byte for byte; out of a log only the request is taken. */
function bodyTextOf(document: Document, found: Found, model: string | undefined): string {
  if (typeof found.body.model === 'string' && found.key !== 'traj') return document.text;
  const members = rawMembers(isObject(document.value) ? document.text : '{}');
  const system = found.api === 'openai-chat' ? undefined : preambleOf(found);
  return BODY_BUILDERS[found.api]({ model, system, tools: members.get('tools'), messages: found.raws.map(sendable) });
}

/** Logs hold an empty list where the request had an empty text; the APIs refuse the list. */
function sendable(raw: string): string {
  const members = rawMembers(raw);
  return EMPTY_LIST.test(members.get('content') ?? '') ? rawObject({ ...Object.fromEntries(members), content: '""' }) : raw;
}

function preambleOf({ api, body, messages }: Found): string | undefined {
  if (api === 'openai-responses') return asText(body.instructions);
  if (api === 'anthropic') return blocksText(body.system);
  const first = messages[0];
  return isObject(first) && (first.role === 'system' || first.role === 'developer') ? blocksText(first.content) : undefined;
}

function blocksText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return asText(content);
  return asObjects(content)
    .map((block) => asText(block.text) ?? '')
    .join('\n');
}
