// Pins: the user's own words in every request, verbatim. A new one joins the newest user message once; the next fold carries it.
import { UllageError } from '../core/errors.ts';
import type { View } from '../core/plan/view.ts';
import { estimateTokens } from '../core/size/estimator.ts';
import type { PinRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import type { Intake } from './intake.ts';
import type { Bound } from './sync.ts';

export const PIN_LIMIT_TOKENS = 2_000;

/** Gives each pin that stands nowhere yet its place, durably; returns all pins. */
export async function placePins(context: Context, request: { bound: Bound; intake: Intake; view?: View }): Promise<readonly PinRow[]> {
  const { bound, intake, view } = request;
  const pins = bound.located.pins;
  if (pins.length === 0 || bound.relation === 'branch') return pins;
  const inSummary = new Set(view?.body.pinIds);
  const newest = intake.heads.findLastIndex((head) => head.role === 'user');
  const placedAt = intake.chain[newest];
  if (placedAt === undefined) return pins;
  const placed: PinRow[] = [];
  for (const pin of pins) {
    if (inSummary.has(pin.pinId) || pin.placedAt !== undefined) {
      placed.push(pin);
      continue;
    }
    await context.store.placePin({ tenant: context.tenant, conversationId: bound.conversation.conversationId, pinId: pin.pinId, placedAt });
    placed.push({ ...pin, placedAt });
  }
  return placed;
}

/** Throws pin_too_large when all pins together would be over the limit, option_invalid for an empty text. */
export async function addPin(context: Context, conversationId: string, text: string): Promise<PinRow> {
  if (typeof text !== 'string' || text.trim() === '')
    throw new UllageError('option_invalid', 'Option text is empty; a pin needs words to keep.');
  const existing = await context.store.pins({ tenant: context.tenant, conversationId });
  const same = existing.find((pin) => pin.text === text);
  if (same) return same;
  const tokens = [...existing.map((pin) => pin.text), text].reduce((sum, pin) => sum + estimateTokens(pin), 0);
  if (tokens > PIN_LIMIT_TOKENS) {
    throw new UllageError('pin_too_large', `With this pin all pins take about ${tokens} tokens; the limit is ${PIN_LIMIT_TOKENS}.`, {
      details: { tokens },
    });
  }
  const pin: PinRow = { pinId: context.newId().slice(0, 12), text, createdAtMs: context.clock.now() };
  const atMs = context.clock.now();
  await context.store.addPin({ operationId: `pin:${pin.pinId}`, atMs, tenant: context.tenant, conversationId, pin });
  return pin;
}
