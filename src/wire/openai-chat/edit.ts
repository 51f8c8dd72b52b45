// How edits are written into Chat Completions messages.
import type { EditRules } from '../edit-wishes.ts';
import { quote } from '../json/quote.ts';

/** Edits of Chat Completions. */
export const CHAT_EDITS: EditRules = {
  resultKey: 'content',
  takesText: (message) => message.role !== 'tool',
  textBlock: (_message, text, markers) => `{${['"type":"text"', `"text":${quote(text)}`, ...markers].join(',')}}`,
  // Some servers accept nothing but a string here.
  resultContent: (_message, _at, text) => quote(text),
  frontIndex: () => 0,
};
