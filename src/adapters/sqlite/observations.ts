// What answers teach: anchors and calibrations. And pins.
import type { Anchor, Calibration } from '../../core/size/size.ts';
import type { Store } from '../../ports/store.ts';
import { conversationNotFound } from '../store/append-rules.ts';
import { assertStorableText } from '../store/entry-check.ts';
import { operationConflict } from '../store/operation.ts';
import type { StoreContext } from './context.ts';
import type { Sql } from './database.ts';
import { requireConversation } from './lookup.ts';
import { noteDone, operationOf, wasDone } from './once.ts';

const ANCHORS_PER_MODEL = 4;

type ObservationCommands = Pick<Store, 'recordObservation' | 'addPin' | 'placePin' | 'removePin'>;

export function observationCommands({ database }: StoreContext): ObservationCommands {
  return {
    async recordObservation(command) {
      const operation = operationOf('recordObservation', command);
      await (await database()).write((sql) => {
        const conversation = requireConversation(sql, command.tenant, command.conversationId);
        if (conversation.session_id !== command.sessionId) throw conversationNotFound(command.conversationId);
        if (wasDone(sql, operation)) return;
        if (command.anchor !== undefined) putAnchor(sql, conversation.id, command.anchor);
        if (command.calibration !== undefined) putCalibration(sql, command.calibration);
        noteDone(sql, operation, conversation.session);
      });
    },
    async addPin(command) {
      assertStorableText('text of the pin', command.pin.text);
      const operation = operationOf('addPin', command);
      const { pinId, text, createdAtMs, placedAt } = command.pin;
      await (await database()).write((sql) => {
        const { id, session } = requireConversation(sql, command.tenant, command.conversationId);
        if (wasDone(sql, operation)) return;
        const insert = 'INSERT OR IGNORE INTO pins (conversation, pin_id, text, created_at_ms, placed_at) VALUES (?, ?, ?, ?, ?)';
        if (sql.run(insert, id, pinId, text, createdAtMs, placedAt) === 0) throw operationConflict(command.operationId);
        noteDone(sql, operation, session);
      });
    },
    async placePin({ tenant, conversationId, pinId, placedAt }) {
      await (await database()).write((sql) => {
        const { id } = requireConversation(sql, tenant, conversationId);
        sql.run('UPDATE pins SET placed_at = ? WHERE conversation = ? AND pin_id = ?', placedAt, id, pinId);
      });
    },
    async removePin(command) {
      const operation = operationOf('removePin', command);
      return (await database()).write((sql) => {
        const { id, session } = requireConversation(sql, command.tenant, command.conversationId);
        if (wasDone(sql, operation)) return true;
        if (sql.run('DELETE FROM pins WHERE conversation = ? AND pin_id = ?', id, command.pinId) === 0) return false;
        noteDone(sql, operation, session);
        return true;
      });
    },
  };
}

/** All but the newest. A limit that is bound would have the statement compiled anew each time. */
const CUT_ANCHORS = `
DELETE FROM anchors WHERE conversation = ? AND model = ? AND id <=
  (SELECT id FROM anchors WHERE conversation = ? AND model = ? ORDER BY id DESC LIMIT 1 OFFSET ${ANCHORS_PER_MODEL})`;

/** A new row each time, so that the order of ids is the order of recording. */
function putAnchor(sql: Sql, conversation: number, anchor: Anchor): void {
  const { model, tip } = anchor;
  sql.run('DELETE FROM anchors WHERE conversation = ? AND model = ? AND tip = ?', conversation, model, tip);
  sql.run('INSERT INTO anchors (conversation, model, tip, anchor) VALUES (?, ?, ?, ?)', conversation, model, tip, JSON.stringify(anchor));
  sql.run(CUT_ANCHORS, conversation, model, conversation, model);
}

function putCalibration(sql: Sql, { route, model, factor, samples, windowTokens }: Calibration): void {
  const known = sql.get<{ window_tokens: number | null }>(
    'SELECT window_tokens FROM calibrations WHERE route = ? AND model = ?',
    route,
    model,
  );
  const windows = [known?.window_tokens ?? undefined, windowTokens].filter((tokens) => tokens !== undefined);
  sql.run('DELETE FROM calibrations WHERE route = ? AND model = ?', route, model);
  sql.run(
    'INSERT INTO calibrations (route, model, factor, samples, window_tokens) VALUES (?, ?, ?, ?, ?)',
    ...[route, model, factor, samples, windows.length === 0 ? undefined : Math.min(...windows)],
  );
}
