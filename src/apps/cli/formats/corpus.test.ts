// Every real transcript is recognised by its content and becomes a request body in which nothing of the conversation is lost.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codecFor } from '../../../wire/index.ts';
import { readTranscript } from './index.ts';
import { asObjects, isObject, type Json } from './transcript.ts';

const CORPUS = path.resolve(import.meta.dirname, '../../../../../shared/corpus');
const FORMAT_OF_FOLDER: Readonly<Record<string, string>> = { 'anthropic-messages': 'cline' };

const files = existsSync(CORPUS)
  ? readdirSync(CORPUS, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((folder) => readdirSync(path.join(CORPUS, folder.name)).map((file) => path.join(folder.name, file)))
  : [];

/** Ids of calls and of results in a body of any API. */
function idsOf(body: Json): { calls: string[]; results: string[] } {
  const messages = asObjects(body.messages ?? body.input);
  const blocks = messages.flatMap((message) => asObjects(message.content));
  const pick = (values: readonly Json[], key: string) => values.map((value) => String(value[key]));
  return {
    calls: [
      ...pick(
        blocks.filter((block) => block.type === 'tool_use'),
        'id',
      ),
      ...messages.flatMap((message) => pick(asObjects(message.tool_calls), 'id')),
    ],
    results: [
      ...pick(
        blocks.filter((block) => block.type === 'tool_result'),
        'tool_use_id',
      ),
      ...pick(
        messages.filter((message) => message.role === 'tool'),
        'tool_call_id',
      ),
    ],
  };
}

/** How many calls and results the lines of a session file hold, as the agents write them down. */
function countsInLines(text: string): { calls: number; results: number } {
  const messages = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Json)
    .map((line) => (isObject(line.message) ? line.message : {}));
  const blocks = messages.flatMap((message) => asObjects(message.content));
  const idsOfType = (type: string, key: string) => new Set(blocks.filter((block) => block.type === type).map((block) => block[key]));
  const piResults = new Set(messages.filter((message) => message.role === 'toolResult').map((message) => message.toolCallId));
  return {
    calls: idsOfType('tool_use', 'id').size + idsOfType('toolCall', 'id').size,
    results: idsOfType('tool_result', 'tool_use_id').size + piResults.size,
  };
}

describe.skipIf(files.length === 0)('the corpus (skipped without ../shared/corpus)', () => {
  test.each(files)('%s', (file) => {
    const text = readFileSync(path.join(CORPUS, file), 'utf8');
    const transcript = readTranscript({ name: file, text });
    const folder = path.dirname(file);
    const expected = file.endsWith('chatreplay.json') ? 'chat-replay' : (FORMAT_OF_FOLDER[folder] ?? folder);
    expect(transcript.format).toBe(expected);
    const broken = codecFor(transcript.api).validate(transcript.bodyText);
    expect(broken.filter((violation) => !violation.rule.endsWith('/tool-result-missing'))).toEqual([]);
    const body: unknown = JSON.parse(transcript.bodyText);
    if (!isObject(body)) throw new Error('the body is not an object');
    const { calls, results } = idsOf(body);
    const unknown = results.filter((id) => !calls.includes(id));
    expect(unknown).toEqual([]);
    if (file.endsWith('.jsonl')) expect({ calls: calls.length, results: results.length }).toEqual(countsInLines(text));
  });
});
