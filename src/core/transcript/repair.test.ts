import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyTranscript,
  assistant,
  call,
  entries,
  image,
  result,
  system,
  text,
  thinking,
  tool,
  user,
} from '../../../test/support/entries.ts';
import { accountForEntries } from './account.ts';
import type { Api, Entry, Message, Part } from './entry.ts';
import { matchCalls } from './match.ts';
import { planRepairs, type Repairs, resultContents } from './repair.ts';
import { safeCuts } from './steps.ts';

/** What would be sent: the entries with the repairs carried out. */
function applyRepairs(transcript: readonly Entry[], repairs: Repairs): readonly Message[] {
  const dropped = new Set(repairs.dropped.map(({ position, part }) => `${position}.${part}`));
  return transcript.flatMap(({ position, message }) => {
    const parts = message.parts.filter((_, index) => !dropped.has(`${position}.${index}`));
    const added = repairs.results.filter((each) => each.afterPosition === position).flatMap(resultContents);
    const results = added.map(
      (content): Message => ({ role: 'tool', raw: '', parts: [{ ...result(content.callId, content.text), isError: content.isError }] }),
    );
    return [...(parts.length > 0 || message.parts.length === 0 ? [{ ...message, parts }] : []), ...results];
  });
}

const idsOf = (parts: readonly Part[], kind: 'call' | 'result'): readonly string[] =>
  parts.flatMap((part) =>
    part.kind === 'call' && kind === 'call' ? [part.id.trim()] : part.kind === 'result' && kind === 'result' ? [part.callId.trim()] : [],
  );

/** Messages as the API reads them: neighbours of one role are one, except in Chat Completions. */
function asRead(messages: readonly Message[], api: Api): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const previous = merged.at(-1);
    const isSame = api !== 'openai-chat' && previous?.role === 'assistant' && message.role === 'assistant';
    if (isSame) merged.splice(-1, 1, { ...previous, parts: [...previous.parts, ...message.parts] });
    else merged.push(message);
  }
  return merged;
}

/** The strict rule: behind each answer stand exactly the results of its calls, before anything else; results stand nowhere else. */
function pairingProblems(messages: readonly Message[], api: Api): readonly string[] {
  const problems: string[] = [];
  let open: readonly string[] = [];
  asRead(messages, api).forEach((message, index) => {
    for (const id of idsOf(message.parts, 'result')) {
      if (!open.includes(id)) problems.push(`${index}: unexpected result ${id}`);
      open = open.filter((each) => each !== id);
    }
    const isMore = message.role === 'assistant' || message.parts.some((part) => part.kind !== 'result');
    if (isMore && open.length > 0) problems.push(`${index}: unanswered ${open.join()}`);
    if (message.role === 'assistant') open = idsOf(message.parts, 'call');
    else if (isMore) open = [];
  });
  return problems;
}

const drops = (messages: readonly Message[], api?: Api) =>
  planRepairs(entries(messages), { api }).dropped.map(({ position, part, reason }) => [position, part, reason]);

describe('planRepairs', () => {
  it('F07: changes nothing where every call is answered in its place, ids with white space included', () => {
    const messages = [user('go'), assistant(call(' call:24'), call('b')), user(result('call:24 '), result('b'), 'and on'), assistant('ok')];
    expect(planRepairs(entries(messages))).toEqual({ results: [], dropped: [] });
  });

  it('F07: a rejection and an error are answers', () => {
    const messages = [assistant(call('a')), tool({ ...result('a', 'User rejected the call.'), isError: true }), user('why?')];
    expect(planRepairs(entries(messages))).toEqual({ results: [], dropped: [] });
  });

  it('F07: an unanswered call that is followed by something else gets a result, in the order of the calls', () => {
    const repairs = planRepairs(entries([user('go'), assistant(call('a'), call('b'), call('c')), tool(result('b')), user('stop')]));
    expect(repairs).toEqual({ results: [{ afterPosition: 1, callIds: ['a', 'c'], moved: [] }], dropped: [] });
    expect(resultContents(repairs.results[0]!)).toEqual([
      { callId: 'a', text: 'No result was recorded for this call.', isError: true },
      { callId: 'c', text: 'No result was recorded for this call.', isError: true },
    ]);
  });

  it('F07: an added result knows the type of its call', () => {
    const messages = [user('go'), assistant({ ...call('a'), wireType: 'custom_tool_call' }, call('b')), user('stop')];
    expect(resultContents(planRepairs(entries(messages)).results[0]!)).toMatchObject([
      { callId: 'a', wireType: 'custom_tool_call' },
      { callId: 'b' },
    ]);
    const late = [assistant({ ...call('a'), wireType: 'shell_call' }), user('hurry'), tool(result('a', 'REAL'))];
    expect(resultContents(planRepairs(entries(late)).results[0]!)).toEqual([
      { callId: 'a', text: 'REAL', isError: false, wireType: 'shell_call' },
    ]);
  });

  it('F07: calls of the last answer stay open while nothing follows', () => {
    expect(planRepairs(entries([user('go'), assistant(call('a'))]))).toEqual({ results: [], dropped: [] });
  });

  it('F07: results of nothing, second results, second calls and nameless calls are left out', () => {
    expect(drops([user('go'), tool(result('x')), assistant('ok')])).toEqual([[1, 0, 'orphan_result']]);
    expect(drops([assistant(call('a')), tool(result('a')), tool(result('a'))])).toEqual([[2, 0, 'duplicate_result']]);
    expect(drops([assistant(call('a'), call('a')), tool(result('a')), tool(result('a'))])).toEqual([
      [0, 1, 'duplicate_call'],
      [2, 0, 'duplicate_result'],
    ]);
    expect(drops([assistant(text('hm'), call('a', '')), tool(result('a'))])).toEqual([
      [0, 1, 'nameless_call'],
      [1, 0, 'orphan_result'],
    ]);
  });

  it('F07: a result behind a user message is sent behind its call, with its own text', () => {
    const repairs = planRepairs(entries([assistant(call('a')), user('hurry'), tool(result('a', 'REAL'))]));
    expect(repairs.dropped).toEqual([{ position: 2, part: 0, reason: 'moved_result' }]);
    expect(resultContents(repairs.results[0]!)).toEqual([{ callId: 'a', text: 'REAL', isError: false }]);
    const picture = planRepairs(entries([assistant(call('a')), user('hurry'), tool({ ...result('a', ''), media: [image()] })]));
    expect(resultContents(picture.results[0]!)[0]!.text).toBe('[media omitted]');
  });

  it('F07: a result that comes after the model went on without it is left out, and the made one stays', () => {
    const messages = [assistant(call('a')), user('stop'), assistant('ok'), tool(result('a')), user('go')];
    const before = planRepairs(entries(messages.slice(0, 3)));
    const after = planRepairs(entries(messages));
    expect(after.results).toEqual(before.results);
    expect(after.dropped).toEqual([{ position: 3, part: 0, reason: 'late_result' }]);
  });

  it('F07: results may stand anywhere behind their call in the Responses format', () => {
    const messages = [
      assistant(call('a')),
      assistant(call('b')),
      tool(result('a')),
      assistant(call('c')),
      tool(result('c')),
      tool(result('b')),
    ];
    expect(planRepairs(entries(messages), { api: 'openai-responses' })).toEqual({ results: [], dropped: [] });
    expect(planRepairs(entries(messages)).results).toMatchObject([{ afterPosition: 1, callIds: ['b'] }]);
  });

  it('F07: in Chat Completions every message answers for itself', () => {
    const messages = [assistant(call('a')), assistant(call('b')), tool(result('a')), tool(result('b')), user('x')];
    expect(planRepairs(entries(messages), { api: 'openai-chat' }).results).toMatchObject([{ afterPosition: 0, callIds: ['a'] }]);
    expect(planRepairs(entries(messages)).results).toEqual([]);
  });

  it('F07: a system message between call and result does not part them', () => {
    const repairs = planRepairs(entries([assistant(call('a')), system('date'), tool(result('a', 'REAL'))]));
    expect(repairs.results).toMatchObject([{ afterPosition: 0, callIds: ['a'], moved: [{ text: 'REAL' }] }]);
  });

  it('F09: no message of reasoning alone is left behind', () => {
    expect(drops([assistant(thinking(), call('a', '')), tool(result('a')), user('x')])).toEqual([
      [0, 0, 'reasoning_only'],
      [0, 1, 'nameless_call'],
      [1, 0, 'orphan_result'],
    ]);
  });

  it('F09: in the Responses format no reasoning item is left without the item after it', () => {
    const messages = [user('go'), assistant(thinking(false)), assistant(call('a', '')), tool(result('a')), assistant('ok')];
    expect(drops(messages, 'openai-responses').map(([position]) => position)).toEqual([1, 2, 3]);
    const kept = [user('go'), assistant(thinking(false)), assistant(call('a', '')), assistant(call('b')), tool(result('b'))];
    expect(drops(kept, 'openai-responses')).toEqual([[2, 0, 'nameless_call']]);
    const twice = [assistant(thinking(false)), assistant(call('b')), assistant(thinking(false)), assistant(call('b')), tool(result('b'))];
    expect(drops(twice, 'openai-responses').map(([position]) => position)).toEqual([2, 3]);
  });

  it('names positions of the chain when it gets only the live entries', () => {
    const live = entries([user('go'), assistant(call('a')), user('stop')], 40);
    expect(planRepairs(live).results[0]!.afterPosition).toBe(41);
  });

  it.each(['anthropic', 'openai-chat'] as const)('F07: what is sent is paired strictly, for random transcripts in %s', (api) => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const closed = [...transcript, ...entries([user('last')], transcript.length)];
        expect(pairingProblems(applyRepairs(closed, planRepairs(closed, { api })), api)).toEqual([]);
      }),
      { seed: 21, numRuns: 600 },
    );
  });

  it('F07: no real result is lost: each that answers a call in time is sent once', () => {
    fc.assert(
      fc.property(anyTranscript, fc.constantFrom<Api>('anthropic', 'openai-chat', 'openai-responses'), (transcript, api) => {
        const repairs = planRepairs(transcript, { api });
        const answers = matchCalls(transcript).results.filter((each) => each.status === 'answer').length;
        const sent = applyRepairs(transcript, repairs)
          .flatMap((message) => message.parts)
          .filter((part) => part.kind === 'result' && part.text === 'done');
        expect(sent).toHaveLength(answers);
      }),
      { seed: 22, numRuns: 600 },
    );
  });

  it('F33: what is decided for a prefix stays when more is appended', () => {
    fc.assert(
      fc.property(anyTranscript, fc.nat(), (transcript, seed) => {
        const prefix = transcript.slice(0, transcript.length === 0 ? 0 : seed % transcript.length);
        const settled = lastSettled(prefix);
        const decided = ({ results, dropped }: Repairs) => ({
          results: results.filter((each) => each.afterPosition < settled),
          dropped: dropped.filter((each) => each.position < settled),
        });
        expect(decided(planRepairs(transcript))).toEqual(decided(planRepairs(prefix)));
      }),
      { seed: 23, numRuns: 600 },
    );
  });

  it('F07: the part from a safe cut on needs no repair that the whole does not need', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const whole = planRepairs(transcript);
        for (const cut of safeCuts(transcript)) {
          const live = planRepairs(transcript.slice(cut));
          expect(live.results).toEqual(whole.results.filter((each) => each.afterPosition >= cut));
          expect(live.dropped.map((each) => [each.position, each.part])).toEqual(
            whole.dropped.filter((each) => each.position >= cut).map((each) => [each.position, each.part]),
          );
        }
      }),
      { seed: 24, numRuns: 300 },
    );
  });

  it('reads a very long and a very broken transcript in one pass', () => {
    const broken = entries(
      Array.from({ length: 60_000 }, (_, index) => (index % 2 === 0 ? assistant(call('same')) : tool(result('other')))),
    );
    const { results, dropped } = planRepairs(broken);
    expect(results).toHaveLength(30_000);
    expect(dropped).toHaveLength(30_000);
  });
});

/** Index of the newest assistant message that follows something that is more than results. */
function lastSettled(transcript: readonly Entry[]): number {
  let settled = 0;
  let hasMore = false;
  transcript.forEach(({ message }, index) => {
    if (message.role !== 'assistant') {
      hasMore ||= message.role === 'system' || (message.role === 'user' && message.parts.some((part) => part.kind !== 'result'));
      return;
    }
    if (hasMore) settled = index;
    hasMore = false;
  });
  return settled;
}

describe('accountForEntries', () => {
  it('gives every entry exactly one state, for random transcripts, folds, prunes and repairs', () => {
    fc.assert(
      fc.property(anyTranscript, fc.nat(), fc.array(fc.nat({ max: 39 })), (transcript, seed, wanted) => {
        const cuts = safeCuts(transcript);
        const foldTo = cuts.length === 0 ? undefined : cuts[seed % cuts.length]! - 1;
        const repairs = planRepairs(transcript);
        const omitted = new Set(
          accountForEntries({ entries: transcript, replaced: [], repairs })
            .filter((each) => each.state === 'omitted')
            .map((each) => each.position),
        );
        const replaced = [...new Set(wanted)].filter(
          (position) => position < transcript.length && position > (foldTo ?? -1) && !omitted.has(position),
        );
        const accounts = accountForEntries({ entries: transcript, foldTo, replaced, repairs });
        expect(accounts.map((each) => each.position)).toEqual(transcript.map((each) => each.position));
        for (const account of accounts) expect(account.reason === undefined).toBe(account.state !== 'omitted');
        const rendered = accounts.filter((each) => each.state === 'sent' || each.state === 'pruned').map((each) => each.position);
        expect(accountForEntries({ entries: transcript, foldTo, replaced, repairs, rendered })).toEqual(accounts);
      }),
      { seed: 25, numRuns: 300 },
    );
  });

  it('throws when an entry is in two states, in none, or unknown', () => {
    const transcript = entries([user('a'), assistant('b'), user('c')]);
    const repairs: Repairs = { results: [], dropped: [{ position: 2, part: 0, reason: 'orphan_result' }] };
    const none: Repairs = { results: [], dropped: [] };
    expect(() => accountForEntries({ entries: transcript, foldTo: 1, replaced: [1], repairs: none })).toThrow(/Entry 1 is folded/);
    expect(() => accountForEntries({ entries: transcript, replaced: [2], repairs })).toThrow(/Entry 2 is pruned and omitted/);
    expect(() => accountForEntries({ entries: transcript, replaced: [7], repairs: none })).toThrow(/Entry 7 is not in the chain/);
    expect(() => accountForEntries({ entries: transcript, replaced: [], repairs: none, rendered: [0, 2] })).toThrow(
      /Entry 1 is not rendered/,
    );
    expect(() => accountForEntries({ entries: transcript, replaced: [], repairs, rendered: [0, 1, 2] })).toThrow(
      /Entry 2 is rendered although/,
    );
  });
});
