// The made-up sessions as transcript files, each in another API's format.
import { convertMessages } from '../../../src/wire/convert.ts';
import { chinese } from './chinese.ts';
import type { Language } from './language.ts';
import { type ChatMessage, makeSession } from './make-session.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

export interface MadeUpTranscript {
  readonly name: string;
  readonly text: string;
}

const SEED = 1_960;
const MODEL = 'made-up';

function rawsOf(messages: readonly ChatMessage[]): readonly string[] {
  return messages.filter(({ role }) => role !== 'system').map((message) => JSON.stringify(message));
}

function joined(raws: readonly string[]): string {
  return `[${raws.join(',')}]`;
}

function chatText(messages: readonly ChatMessage[]): string {
  return JSON.stringify({ model: MODEL, messages });
}

function anthropicText(language: Language, messages: readonly ChatMessage[]): string {
  const raws = convertMessages('openai-chat', 'anthropic', rawsOf(messages));
  return `{"model":"${MODEL}","max_tokens":4096,"system":${JSON.stringify(language.system)},"messages":${joined(raws)}}`;
}

function responsesText(language: Language, messages: readonly ChatMessage[]): string {
  const raws = convertMessages('openai-chat', 'openai-responses', rawsOf(messages));
  return `{"model":"${MODEL}","instructions":${JSON.stringify(language.system)},"input":${joined(raws)}}`;
}

/** About 15,000 tokens each. Always the same. */
export function languageTranscripts(): readonly MadeUpTranscript[] {
  const [es, zh, ru] = [spanish, chinese, russian].map((language, index) => makeSession(language, SEED + index));
  return [
    { name: 'made-up/spanish.json', text: chatText(es!) },
    { name: 'made-up/chinese.json', text: anthropicText(chinese, zh!) },
    { name: 'made-up/russian.json', text: responsesText(russian, ru!) },
  ];
}
