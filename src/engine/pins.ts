// Pins: the user's own words in every request, verbatim. A new one joins the newest user message once; the next fold carries it.
import { UllageError } from '../core/errors.ts';
import type { View } from '../core/plan/view.ts';
import { estimateTokens } from '../core/size/estimator.ts';
import type { PinRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import type { Intake } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { placesOf } from './pin-places.ts';
import { currentConversation } from './stored.ts';
import type { Bound } from './sync.ts';

export const PIN_LIMIT_TOKENS = 2_000;

/** Notes the place of each pin that stands nowhere yet, so that it stays there in every later request. */
export async function notePlaces(context: Context, request: { bound: Bound; intake: Intake; view?: View }): Promise<void> {
  const { bound, intake, view } = request;
  const { pins } = bound.located;
  if (pins.length === 0 || bound.relation === 'branch') return;
  const { conversationId } = bound.conversation;
  const noted = new Map(pins.map((pin) => [pin.pinId, pin.placedAt]));
  for (const { pinId, position } of placesOf(context.codec, { intake, view, pins })) {
    const placedAt = intake.chain[position]!;
    if (noted.get(pinId) !== placedAt) await context.store.placePin({ tenant: context.tenant, conversationId, pinId, placedAt });
  }
}

/**
 * The name of a pin follows from its words: one that is taken back and made again while a summary still holds it does not stand twice.
 * Throws pin_too_large when all pins together would be over the limit, option_invalid for an empty text.
 */
export async function addPin(context: Context, memory: SessionMemory, text: string): Promise<PinRow> {
  if (typeof text !== 'string' || text.trim() === '')
    throw new UllageError('option_invalid', 'Option text is empty; a pin needs words to keep.');
  const { conversationId } = (await currentConversation(context, memory)).conversation;
  const { tenant } = context;
  const existing = await context.store.pins({ tenant, conversationId });
  const pinId = context.digest(text).slice(0, 12);
  const same = existing.find((pin) => pin.pinId === pinId);
  if (same) return same;
  const tokens = [...existing.map((pin) => pin.text), text].reduce((sum, pin) => sum + estimateTokens(pin), 0);
  if (tokens > PIN_LIMIT_TOKENS) {
    throw new UllageError('pin_too_large', `With this pin all pins take about ${tokens} tokens; the limit is ${PIN_LIMIT_TOKENS}.`, {
      details: { tokens },
    });
  }
  const atMs = context.clock.now();
  const pin: PinRow = { pinId, text, createdAtMs: atMs };
  await context.store.addPin({ operationId: `pin:${context.newId()}`, atMs, tenant, conversationId, pin });
  return pin;
}

/** Of the conversation the session goes on with; none when there is none yet. */
export async function listPins(context: Context, memory: SessionMemory): Promise<readonly PinRow[]> {
  const conversationId = await currentId(context, memory);
  return conversationId === undefined ? [] : context.store.pins({ tenant: context.tenant, conversationId });
}

/** False when there is no such pin. */
export async function removePin(context: Context, memory: SessionMemory, pinId: string): Promise<boolean> {
  const conversationId = await currentId(context, memory);
  if (conversationId === undefined) return false;
  const operationId = `unpin:${context.newId()}`;
  return context.store.removePin({ operationId, atMs: context.clock.now(), tenant: context.tenant, conversationId, pinId });
}

async function currentId(context: Context, memory: SessionMemory): Promise<string | undefined> {
  return (await context.store.findSession({ tenant: context.tenant, key: memory.key }))?.currentConversationId;
}
