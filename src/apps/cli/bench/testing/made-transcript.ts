// Small transcripts for tests: what was said, called and given back, as an Anthropic request.
import { anthropicBody } from '../../formats/body.ts';
import { type BenchTranscript, benchTranscriptOf } from '../transcript/bench-transcript.ts';

export type Said = { readonly user: string } | { readonly agent: string } | { readonly call: object; readonly result: string };

/** The body text of a request. */
export function madeBody(said: readonly Said[], system?: string): string {
  const messages = said.flatMap((one, index) => {
    if ('user' in one) return [JSON.stringify({ role: 'user', content: one.user })];
    if ('agent' in one) return [JSON.stringify({ role: 'assistant', content: one.agent })];
    const id = `call_${index}`;
    return [
      JSON.stringify({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'run', input: one.call }] }),
      JSON.stringify({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: one.result }] }),
    ];
  });
  return anthropicBody({ model: 'test', system, messages });
}

export function madeTranscript(said: readonly Said[], system?: string): BenchTranscript {
  return benchTranscriptOf('test', { format: 'anthropic', api: 'anthropic', bodyText: madeBody(said, system), notes: [] });
}

/** Text of about so many tokens that holds no facts. */
export function filler(tokens: number): string {
  return Array.from({ length: tokens }, (_, index) => ['one', 'and', 'two', 'for'][index % 4]).join(' ');
}
