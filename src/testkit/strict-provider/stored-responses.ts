// State the Responses API holds for `previous_response_id`: the items of answered requests, the oldest forgotten first.
import { type JsonObject, listOf, stringOf } from '../../wire/rules.ts';

export interface StoredResponses {
  /** Keeps input and output of an answer, unless the request says `store: false`. */
  keep(id: string, body: JsonObject, output: readonly unknown[]): void;
  /** The body with the held items in front of its own; the same body without `previous_response_id`; undefined when the id is unknown. */
  complete(body: JsonObject): JsonObject | undefined;
}

const MAX_RESPONSES = 1_000;

/** An empty store. */
export function createStoredResponses(): StoredResponses {
  const kept = new Map<string, readonly unknown[]>();
  return {
    keep(id, body, output) {
      if (body.store === false) return;
      kept.set(id, [...inputItems(body), ...output]);
      if (kept.size > MAX_RESPONSES) kept.delete(kept.keys().next().value!);
    },
    complete(body) {
      const id = stringOf(body.previous_response_id);
      if (!id) return body;
      const items = kept.get(id);
      return items === undefined ? undefined : { ...body, input: [...items, ...inputItems(body)] };
    },
  };
}

/** The items of an input; a plain string is one user message. */
export function inputItems({ input }: JsonObject): readonly unknown[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
}
