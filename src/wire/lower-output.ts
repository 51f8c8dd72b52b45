// Asks for fewer output tokens by changing numbers in the body's bytes; everything else keeps its own.
import type { RequestBody, Span } from './codec.ts';
import { OUTPUT_KEYS } from './facts.ts';
import { scanMembers } from './json/members.ts';
import { spliceText } from './json/splice.ts';
import { memberValue } from './member-value.ts';

/** The least a reasoning budget may be, tokens. */
const LEAST_REASONING_TOKENS = 1_024;
/** Share of the output that reasoning may use up: the rest is for the answer. */
const REASONING_SHARE = 0.8;

/** See `WireCodec.lowerOutput`. */
export function lowerOutput(body: RequestBody, tokens: number): string | undefined {
  const lowered = Math.floor(tokens);
  const larger = OUTPUT_KEYS[body.api].flatMap((key) => {
    const span = body.members.get(key);
    const asked = memberValue(body.text, span);
    return span && typeof asked === 'number' && asked > lowered ? [span] : [];
  });
  if (larger.length === 0 || !(lowered >= 1)) return undefined;
  const budgets = reasoningBudgets(body).filter(({ asked }) => asked >= lowered);
  const reasoning = Math.floor(lowered * REASONING_SHARE);
  if (budgets.length > 0 && reasoning < LEAST_REASONING_TOKENS) return undefined;
  const changes = [
    ...larger.map((span) => ({ ...span, text: String(lowered) })),
    ...budgets.map(({ span }) => ({ ...span, text: String(reasoning) })),
  ];
  return spliceText(body.text, changes);
}

/** Budgets in tokens that must stay below the output: Anthropic's `thinking.budget_tokens`, OpenRouter's `reasoning.max_tokens`. */
function reasoningBudgets({ text, members }: RequestBody): { span: Span; asked: number }[] {
  const places = [
    ['thinking', 'budget_tokens'],
    ['reasoning', 'max_tokens'],
  ] as const;
  return places.flatMap(([key, inner]) => {
    const holder = members.get(key);
    if (holder === undefined || text[holder.start] !== '{') return [];
    const span = scanMembers(text, holder.start).get(inner);
    const asked = memberValue(text, span);
    return span && typeof asked === 'number' ? [{ span, asked }] : [];
  });
}
