// The account of a sent request (Law 3): every entry is sent, folded, pruned, or left out with a reason, and what is sent is just that.

import { nextTurn, randomName, sha256, systemClock } from '../../src/adapters/system/index.ts';
import { accountForEntries, type EntryAccount } from '../../src/core/transcript/account.ts';
import type { Api } from '../../src/core/transcript/entry.ts';
import { planRepairs } from '../../src/core/transcript/repair.ts';
import { deriveSteps } from '../../src/core/transcript/steps.ts';
import { createContext } from '../../src/engine/context.ts';
import { emptyLastBody, entriesOf, takeIn } from '../../src/engine/intake.ts';
import { decodePreparedId } from '../../src/engine/prepared-id.ts';
import { loadView, readStamps, renderFor } from '../../src/engine/request.ts';
import type { Wire } from '../../src/engine/wire.ts';
import type { Prepared } from '../../src/index.ts';
import type { Store } from '../../src/ports/store.ts';
import { codecFor } from '../../src/wire/index.ts';

export interface Accounted {
  readonly accounts: readonly EntryAccount[];
  /** The fold ends a step. */
  readonly isFoldWhole: boolean;
}

/** Renders what was asked through the stored view, compares it with what was sent, and accounts for every entry. Throws on any difference. */
export async function accountFor(
  store: Store,
  api: Api,
  request: { readonly asked: object; readonly prepared: Prepared },
): Promise<Accounted> {
  const { asked, prepared } = request;
  const record = decodePreparedId(prepared.id);
  const context = createContext({ store, api }, { codecFor } as Wire, { clock: systemClock, digest: sha256, newId: randomName, nextTurn });
  const intake = takeIn(context, asked, emptyLastBody());
  await readStamps(context, intake, record.sessionId);
  const view = record.viewId === '' ? undefined : await loadView(context, record.viewId);
  const { pins } = await store.loadConversation({ tenant: 'local', conversationId: record.conversationId });
  const rendered = renderFor(context, { intake, view, pins });
  const raws = rendered.messages.map((message) => message.raw);
  if (codecFor(api).spliceMessages(intake.body, raws) !== prepared.text) throw new Error('what was sent is not what the stored view gives');
  const entries = entriesOf(context.codec, intake.heads, intake.raws);
  const foldTo = view?.body.fold?.to;
  const live = entries.slice((foldTo ?? -1) + 1);
  const replacements = view?.body.replacements ?? [];
  const leftOut = replacements.filter(({ raw }) => raw === '').map(({ position }) => ({ position, reason: 'nothing_left' }));
  const accounts = accountForEntries({
    entries,
    foldTo,
    replaced: replacements.filter(({ raw }) => raw !== '').map(({ position }) => position),
    repairs: planRepairs(live, { api }),
    omitted: [...leftOut, ...rendered.omitted],
    rendered: rendered.messages.flatMap(({ position }) => position ?? []),
  });
  return { accounts, isFoldWhole: foldTo === undefined || deriveSteps(entries).some((step) => step.to === foldTo) };
}
