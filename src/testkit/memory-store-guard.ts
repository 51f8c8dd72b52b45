// Guard, views, outcomes, observations and pins in memory.
import { conversationNotFound } from '../adapters/store/append-rules.ts';
import { assertStorableText } from '../adapters/store/entry-check.ts';
import { operationConflict } from '../adapters/store/operation.ts';
import { decodeGuard, encodeGuard } from '../core/guard/encode.ts';
import type { Guard } from '../core/guard/guard.ts';
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import type { View, ViewHead } from '../core/plan/view.ts';
import type { Anchor, Calibration } from '../core/size/size.ts';
import type { Store } from '../ports/store.ts';
import { type MemoryConversation, type MemoryState, type MemoryTenant, once, sessionOf, tenantOf } from './memory-store-state.ts';

type GuardCommands = Pick<
  Store,
  | 'readGuard'
  | 'swapGuard'
  | 'view'
  | 'commitCompaction'
  | 'recordOutcome'
  | 'outcomes'
  | 'recordObservation'
  | 'calibrations'
  | 'addPin'
  | 'placePin'
  | 'removePin'
  | 'pins'
>;

const ANCHORS_PER_MODEL = 4;

export function guardCommands(state: MemoryState): GuardCommands {
  return { ...decisionCommands(state), ...observationCommands(state), ...pinCommands(state) };
}

function decisionCommands(
  state: MemoryState,
): Pick<Store, 'readGuard' | 'swapGuard' | 'view' | 'commitCompaction' | 'recordOutcome' | 'outcomes'> {
  return {
    async readGuard({ tenant, guardKey }) {
      return decodeGuard(tenantOf(state, tenant).guards.get(guardKey)?.record);
    },
    async swapGuard({ tenant, ...command }) {
      return swap(tenantOf(state, tenant), command);
    },
    async view({ tenant, viewId }) {
      const stored = tenantOf(state, tenant).views.get(viewId);
      return stored && (JSON.parse(stored.json) as View);
    },
    async commitCompaction(command) {
      const tenant = tenantOf(state, command.tenant);
      const { sessionId, view, outcome } = command;
      conversationOf(tenant, command.conversationId, sessionId);
      const effect = () => {
        if ((tenant.guards.get(command.guardKey)?.version ?? 0) !== command.expectedVersion) return undefined;
        if (tenant.views.has(view.viewId)) throw operationConflict(command.operationId);
        swap(tenant, command);
        tenant.views.set(view.viewId, { sessionId, head: headOf(view), json: JSON.stringify(view) });
        if (outcome !== undefined) sessionOf(tenant, sessionId).outcomes.push(JSON.stringify(outcome));
        return true;
      };
      return once(tenant, 'commitCompaction', { command, sessionId, done: true, effect }) ?? false;
    },
    async recordOutcome(command) {
      const tenant = tenantOf(state, command.tenant);
      const session = sessionOf(tenant, command.outcome.sessionId);
      const effect = () => session.outcomes.push(JSON.stringify(command.outcome));
      once(tenant, 'recordOutcome', { command, sessionId: session.row.sessionId, done: 0, effect });
    },
    async outcomes({ tenant, sessionId, limit }) {
      const stored = tenantOf(state, tenant).sessions.get(sessionId)?.outcomes ?? [];
      return stored
        .toReversed()
        .slice(0, limit)
        .map((json) => JSON.parse(json) as CompactionOutcome);
    },
  };
}

function observationCommands(state: MemoryState): Pick<Store, 'recordObservation' | 'calibrations'> {
  return {
    async recordObservation(command) {
      const tenant = tenantOf(state, command.tenant);
      const conversation = conversationOf(tenant, command.conversationId, command.sessionId);
      const effect = () => {
        if (command.anchor !== undefined) conversation.anchors = withAnchor(conversation.anchors, { ...command.anchor });
        if (command.calibration !== undefined) calibrate(state, command.calibration);
        return true;
      };
      once(tenant, 'recordObservation', { command, sessionId: command.sessionId, done: true, effect });
    },
    async calibrations({ route, model }) {
      return state.calibrations.get(JSON.stringify([route, model]));
    },
  };
}

function pinCommands(state: MemoryState): Pick<Store, 'addPin' | 'placePin' | 'removePin' | 'pins'> {
  return {
    async addPin(command) {
      assertStorableText('text of the pin', command.pin.text);
      const tenant = tenantOf(state, command.tenant);
      const conversation = conversationOf(tenant, command.conversationId);
      const effect = () => {
        if (conversation.pins.some(({ pinId }) => pinId === command.pin.pinId)) throw operationConflict(command.operationId);
        conversation.pins = [...conversation.pins, { ...command.pin }];
        return true;
      };
      once(tenant, 'addPin', { command, sessionId: conversation.row.sessionId, done: true, effect });
    },
    async placePin({ tenant, conversationId, pinId, placedAt }) {
      const conversation = conversationOf(tenantOf(state, tenant), conversationId);
      conversation.pins = conversation.pins.map((pin) => (pin.pinId === pinId ? { ...pin, placedAt } : pin));
    },
    async removePin(command) {
      const tenant = tenantOf(state, command.tenant);
      const conversation = conversationOf(tenant, command.conversationId);
      const effect = () => {
        const left = conversation.pins.filter(({ pinId }) => pinId !== command.pinId);
        if (left.length === conversation.pins.length) return undefined;
        conversation.pins = left;
        return true;
      };
      return once(tenant, 'removePin', { command, sessionId: conversation.row.sessionId, done: true, effect }) ?? false;
    },
    async pins({ tenant, conversationId }) {
      return tenantOf(state, tenant).conversations.get(conversationId)?.pins ?? [];
    },
  };
}

function conversationOf(tenant: MemoryTenant, conversationId: string, sessionId?: string): MemoryConversation {
  const conversation = tenant.conversations.get(conversationId);
  if (conversation === undefined || (sessionId ?? conversation.row.sessionId) !== conversation.row.sessionId)
    throw conversationNotFound(conversationId);
  return conversation;
}

function swap(tenant: MemoryTenant, command: { guardKey: string; expectedVersion: number; guard: Guard }): boolean {
  const { guardKey, expectedVersion, guard } = command;
  const isKnown = [...tenant.conversations.values()].some(({ row }) => row.guardKey === guardKey);
  if (!isKnown) throw conversationNotFound(guardKey);
  if ((tenant.guards.get(guardKey)?.version ?? 0) !== expectedVersion) return false;
  const version = expectedVersion + 1;
  tenant.guards.set(guardKey, { version, record: encodeGuard({ ...guard, version }) });
  return true;
}

function headOf(view: View): ViewHead {
  const { body: _body, ...head } = view;
  return JSON.parse(JSON.stringify(head)) as ViewHead;
}

function withAnchor(anchors: readonly Anchor[], anchor: Anchor): Anchor[] {
  const others = anchors.filter(({ model, tip }) => model !== anchor.model || tip !== anchor.tip);
  let kept = 0;
  return [anchor, ...others].filter(({ model }) => model !== anchor.model || ++kept <= ANCHORS_PER_MODEL);
}

function calibrate(state: MemoryState, calibration: Calibration): void {
  const key = JSON.stringify([calibration.route, calibration.model]);
  const windows = [state.calibrations.get(key)?.windowTokens, calibration.windowTokens].filter((tokens) => tokens !== undefined);
  state.calibrations.delete(key);
  state.calibrations.set(key, { ...calibration, windowTokens: windows.length === 0 ? undefined : Math.min(...windows) });
}
