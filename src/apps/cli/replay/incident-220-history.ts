// The history of the incident `220`: 220 messages, nearly all of them large tool results, of one exact size.
import { estimateMessage, estimateTokens } from '../../../core/size/estimator.ts';
import { openaiChatCodec } from '../../../wire/index.ts';
import { measureRequest } from '../shared/request-size.ts';

export const MESSAGES = 220;
export const SIZE_TOKENS = 288_028;

const WORDS = 'build failed module parser token socket retry cache index worker queue commit branch render schema header'.split(' ');
/** Messages that are no pair of call and result: two at the beginning, two at the end. */
const SINGLE_MESSAGES = 4;
const PAIRS = (MESSAGES - SINGLE_MESSAGES) / 2;
const ONE_TOKEN_TEXT = ' a';

/** Messages whose estimates add up to {@link SIZE_TOKENS}. */
export function messagesOf220(): readonly object[] {
  const words = wordSource();
  const ends = [
    { role: 'system', content: 'You mend builds.' },
    { role: 'user', content: 'Find why the nightly build fails and mend it. Never push to main.' },
    { role: 'assistant', content: 'One more thing to check.' },
    { role: 'user', content: 'And now?' },
  ];
  const calls = Array.from({ length: PAIRS }, (_, index) => callMessage(index));
  const fixed = measureRequest(openaiChatCodec, JSON.stringify({ messages: [...ends, ...calls] })).tokens;
  const results: object[] = [];
  let left = SIZE_TOKENS - fixed;
  for (let index = 0; index < PAIRS; index += 1) {
    const result = resultMessage(index, Math.floor(left / (PAIRS - index)), words);
    const exact = index === PAIRS - 1 ? padded(result, left) : result;
    left -= sizeOf([exact]);
    results.push(exact);
  }
  const pairs = calls.flatMap((call, index) => [call, results[index]!]);
  return [ends[0]!, ends[1]!, ...pairs, ends[2]!, ends[3]!];
}

function callMessage(index: number): object {
  const call = {
    id: `call_${index}`,
    type: 'function',
    function: { name: 'read', arguments: JSON.stringify({ path: `src/part-${index}.ts` }) },
  };
  return { role: 'assistant', content: `Looking at part ${index}.`, tool_calls: [call] };
}

/** A result of about so many tokens. */
function resultMessage(index: number, tokens: number, nextWord: () => string) {
  const message = (content: string) => ({ role: 'tool', tool_call_id: `call_${index}`, content });
  let content = nextWord();
  for (let left = tokens - sizeOf([message(content)]); left > 0; ) {
    const word = ` ${nextWord()}`;
    left -= estimateTokens(word);
    if (left > 0) content += word;
  }
  return message(content);
}

/** The message with single letters behind it until it has so many tokens. */
function padded(message: { readonly content: string }, tokens: number): object {
  let own = message;
  while (sizeOf([own]) < tokens) own = { ...own, content: own.content + ONE_TOKEN_TEXT };
  return own;
}

function sizeOf(messages: readonly object[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(openaiChatCodec.decodeMessage(JSON.stringify(message))), 0);
}

/** The same words on every machine. */
function wordSource(): () => string {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return `${WORDS[state % WORDS.length]}${(state >> 8) % 1_000}`;
  };
}
