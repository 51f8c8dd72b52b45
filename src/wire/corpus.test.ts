// Real transcripts through the codecs: nothing is lost on the way in and out, and neither layout nor a cache marker changes who a message is.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Api, Part } from '../core/transcript/entry.ts';
import { codecFor, messageTexts } from './index.ts';

const CORPUS = join(import.meta.dirname, '../../../shared/corpus');

interface Transcript {
  readonly name: string;
  readonly api: Api;
  readonly messages: readonly Record<string, unknown>[];
}

const filesOf = (folder: string): readonly string[] => readdirSync(join(CORPUS, folder)).map((file) => join(CORPUS, folder, file));
const isMessage = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && 'role' in value;

function claudeCode(path: string): Transcript {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  const messages = lines.map((line) => (JSON.parse(line) as { message?: unknown }).message).filter(isMessage);
  return { name: path.slice(CORPUS.length + 1), api: 'anthropic', messages };
}

function messageFile(path: string, api: Api): Transcript {
  const { messages } = JSON.parse(readFileSync(path, 'utf8')) as { messages?: unknown[] };
  return { name: path.slice(CORPUS.length + 1), api, messages: (messages ?? []).filter(isMessage) };
}

function transcripts(): readonly Transcript[] {
  const all = [
    ...filesOf('claude-code').map(claudeCode),
    ...filesOf('anthropic-messages').map((path) => messageFile(path, 'anthropic')),
    ...filesOf('openai-chat').map((path) => messageFile(path, 'openai-chat')),
  ];
  return all.filter(({ messages }) => messages.length > 0);
}

const KNOWN_BLOCKS: ReadonlySet<string> = new Set(['text', 'thinking', 'tool_use', 'tool_result', 'image', 'image_url']);
const found = existsSync(CORPUS) ? transcripts() : [];

/** The message with a cache marker on its last block, a string content turned into a block for it. */
function marked(message: Record<string, unknown>): object {
  const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  if (!Array.isArray(content) || content.length === 0) return message;
  return { ...message, content: [...content.slice(0, -1), { ...(content.at(-1) as object), cache_control: { type: 'ephemeral' } }] };
}

if (found.length === 0) {
  it('real transcripts', (context) => context.skip('the corpus is not beside this repository: ../shared/corpus'));
} else {
  describe.each(found.map((transcript) => [transcript.name, transcript] as const))('%s', (_name, { api, messages }) => {
    const codec = codecFor(api);
    const text = JSON.stringify({ model: 'm', max_tokens: 1, messages }, null, 1);
    const body = codec.decodeBody(text);
    const raws = messageTexts(body);

    it('goes through byte for byte', () => {
      expect(raws.map((raw) => JSON.parse(raw))).toEqual(messages);
      expect(codec.spliceMessages(body, raws.slice(body.preambleCount))).toBe(text);
      for (const raw of raws) expect(codec.editMessage(raw, [])).toBe(raw);
    });

    it('F07 has every call and result that JSON.parse sees', () => {
      const parts = raws.flatMap((raw): readonly Part[] => codec.decodeMessage(raw).parts);
      const count = (kind: Part['kind']): number => parts.filter((part) => part.kind === kind).length;
      const blocks = messages.flatMap((message) => (Array.isArray(message.content) ? (message.content as { type?: string }[]) : []));
      const calls = messages.flatMap((message) => (Array.isArray(message.tool_calls) ? message.tool_calls : []));
      expect(count('call')).toBe(blocks.filter((block) => block.type === 'tool_use').length + calls.length);
      expect(count('result')).toBe(
        blocks.filter((block) => block.type === 'tool_result').length + messages.filter((message) => message.role === 'tool').length,
      );
      expect(count('opaque')).toBe(blocks.filter((block) => !KNOWN_BLOCKS.has(block.type ?? '')).length);
    });

    it('keeps its canonical forms through another layout and a moved marker', () => {
      for (const [index, message] of messages.entries()) {
        const canonical = codec.canonicalMessage(raws[index]!);
        expect(codec.canonicalMessage(JSON.stringify(message))).toBe(canonical);
        if (api === 'anthropic' || message.role !== 'assistant')
          expect(codec.canonicalMessage(JSON.stringify(marked(message)))).toBe(canonical);
      }
    });
  });
}
