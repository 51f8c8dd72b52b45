// What is made must be a request that each API accepts, and making it again must change nothing.
import type { RequestBody, Violation, WireCodec } from '../../../../core/codec.ts';
import { APIS, type Api } from '../../../../core/transcript/entry.ts';
import { convertMessages } from '../../../../wire/convert.ts';
import { codecFor } from '../../../../wire/index.ts';
import type { Compacted, Strategy, StrategyInput } from '../strategies/strategy.ts';
import { entriesOf } from '../transcript/entries.ts';
import { budgetAt, type Exam, inputAt } from './retention.ts';

const EMPTY_BODIES: Readonly<Record<Api, string>> = {
  anthropic: '{"model":"unknown","max_tokens":1024,"messages":[]}',
  'openai-chat': '{"model":"unknown","messages":[]}',
  'openai-responses': '{"model":"unknown","input":[]}',
};

/** One request that was checked. `added` are violations beyond those that the uncompacted request has, rule by rule. */
export interface Checked {
  readonly api: Api;
  readonly added: readonly Violation[];
}

/** Checks a compacted request against the rules of its API. What the prefix itself breaks is not charged. */
export function checkCompacted(exam: Exam, compacted: Compacted): Checked {
  const { codec, body } = exam.transcript;
  const prefix = rawsOf(exam);
  if (compacted.api === undefined || compacted.api === codec.api) return check(codec, body, { prefix, messages: compacted.messages });
  const other = codecFor(compacted.api);
  const converted = convertMessages(codec.api, other.api, prefix);
  return check(other, other.decodeBody(EMPTY_BODIES[other.api]), { prefix: converted, messages: compacted.messages });
}

function rawsOf({ transcript, cut }: Exam): readonly string[] {
  return transcript.entries.slice(0, cut.messages).map((entry) => entry.message.raw);
}

function check(
  codec: WireCodec,
  body: RequestBody,
  texts: { readonly prefix: readonly string[]; readonly messages: readonly string[] },
): Checked {
  const violations = codec.validate(codec.spliceMessages(body, texts.messages));
  const excused = countRules(violations.length === 0 ? [] : codec.validate(codec.spliceMessages(body, texts.prefix)));
  const added = violations.filter(({ rule }) => {
    const left = excused.get(rule) ?? 0;
    excused.set(rule, left - 1);
    return left <= 0;
  });
  return { api: codec.api, added };
}

function countRules(violations: readonly Violation[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of violations) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

/** The same history in the formats of the other APIs, compacted there and checked. */
export async function checkOtherApis(exam: Exam, strategy: Strategy, share: number): Promise<readonly Checked[]> {
  const own = exam.transcript.codec.api;
  const checked: Checked[] = [];
  for (const api of APIS) {
    if (api === own) continue;
    const codec = codecFor(api);
    const prefix = convertMessages(own, api, rawsOf(exam));
    const entries = entriesOf(codec, prefix);
    const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
    const { messages } = await strategy.compact({ codec, entries, budgetTokens: Math.floor(share * tokens) });
    checked.push(check(codec, codec.decodeBody(EMPTY_BODIES[api]), { prefix, messages }));
  }
  return checked;
}

export interface Repeatability {
  /** The same input gave the same bytes. */
  readonly isSame: boolean;
  /** Compacting what was made to the same budget changed no byte. */
  readonly isStable: boolean;
}

/** Runs a strategy twice on the same input, and once more on its own output: as messages of their own, and with what it remembers of making them. */
export async function checkRepeats(
  exam: Exam,
  strategy: Strategy,
  made: { readonly compacted: Compacted; readonly share: number },
): Promise<Repeatability> {
  const { compacted, share } = made;
  const input = inputAt(exam, budgetAt(exam, share));
  const again = await strategy.compact(freshCopy(input));
  const own = { ...input, entries: entriesOf(input.codec, compacted.messages), firstAsk: undefined };
  const twice = [await strategy.compact(own), await strategy.compact({ ...freshCopy(input), previous: compacted.state })];
  return {
    isSame: isEqual(again.messages, compacted.messages),
    isStable: twice.every(({ messages }) => isEqual(messages, compacted.messages)),
  };
}

/** Equal entries that are not the same objects: nothing remembered of them can help. */
function freshCopy(input: StrategyInput): StrategyInput {
  return {
    ...input,
    entries: entriesOf(
      input.codec,
      input.entries.map((entry) => entry.message.raw),
    ),
  };
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
