// How edits are written into Responses items. Results of shell and computer calls have a shape of their own.
import type { EditRules } from '../edit-wishes.ts';
import { quote } from '../json/quote.ts';
import { asArray, memberOf, rawOf, stringMember } from '../json/read.ts';
import type { LocatedMessage } from '../located.ts';
import { isMessageType } from './item-types.ts';
import { computerOutput, shellOutput } from './outputs.ts';

/** Edits of Responses. */
export const RESPONSES_EDITS: EditRules = {
  resultKey: 'output',
  takesText: ({ raw, root }) => isMessageType(stringMember(raw, root, 'type'), stringMember(raw, root, 'role')),
  textBlock: (message, text, markers) => {
    const type = message.role === 'assistant' ? 'output_text' : 'input_text';
    return `{${[`"type":"${type}"`, `"text":${quote(text)}`, ...markers].join(',')}}`;
  },
  resultContent: (message, _at, text) => outputContent(message, text),
  frontIndex: () => 0,
};

function outputContent({ raw, root }: LocatedMessage, text: string): string {
  const type = stringMember(raw, root, 'type');
  if (type === 'computer_call_output') return computerOutput();
  if (type !== 'shell_call_output') return quote(text);
  const outcome = memberOf(asArray(memberOf(root, 'output'))?.items[0], 'outcome');
  return shellOutput(text, outcome ? rawOf(raw, outcome) : undefined);
}
