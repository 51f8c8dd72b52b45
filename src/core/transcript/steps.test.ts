import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyTranscript,
  assistant,
  call,
  entries,
  image,
  message,
  opaque,
  result,
  system,
  text,
  thinking,
  tool,
  user,
} from '../../../test/support/entries.ts';
import { frameSummary } from '../summary/frame.ts';
import { deriveSteps, deriveTurns, isGenuineUser, safeCuts } from './steps.ts';

const spans = (messages: Parameters<typeof entries>[0]) => deriveSteps(entries(messages)).map((step) => [step.from, step.to, step.kind]);

describe('deriveSteps', () => {
  it('F07: ten parallel calls and their results are one step', () => {
    const ids = Array.from({ length: 10 }, (_, index) => `call_${index}`);
    const messages = [user('go'), assistant(...ids.map((id) => call(id))), ...ids.map((id) => tool(result(id))), user('next')];
    expect(spans(messages)).toEqual([
      [0, 0, 'user'],
      [1, 11, 'assistant'],
      [12, 12, 'user'],
    ]);
    expect(deriveSteps(entries(messages))[1]!.callIds).toEqual(ids);
  });

  it('F07: ids are compared without the white space around them', () => {
    expect(spans([assistant(call(' call:24')), user(result('call:24 '), 'thanks'), user('x')])).toEqual([
      [0, 1, 'assistant'],
      [2, 2, 'user'],
    ]);
  });

  it('a user message with results and text belongs to the step of the calls', () => {
    const [step] = deriveSteps(entries([assistant(call('a')), user(result('a'), 'and be quick')]));
    expect(step).toMatchObject({ from: 0, to: 1, isGenuineUser: false, isOpen: false });
  });

  it('a run of reasoning, call and message items is one step, with results between and behind', () => {
    const messages = [
      assistant(thinking(false)),
      assistant(call('a')),
      assistant(call('b')),
      tool(result('a')),
      assistant(thinking(false)),
      assistant(call('c')),
      tool(result('c')),
      tool(result('b')),
      assistant('done'),
    ];
    expect(spans(messages)).toEqual([
      [0, 7, 'assistant'],
      [8, 8, 'assistant'],
    ]);
  });

  it('two answers of plain text in a row are two steps', () => {
    expect(spans([assistant('one'), assistant('two', call('a')), tool(result('a'))])).toEqual([
      [0, 0, 'assistant'],
      [1, 2, 'assistant'],
    ]);
  });

  it('reused ids pair with the newest call', () => {
    const messages = [assistant(call('call_1')), tool(result('call_1')), assistant(call('call_1')), tool(result('call_1'))];
    expect(spans(messages)).toEqual([
      [0, 1, 'assistant'],
      [2, 3, 'assistant'],
    ]);
  });

  it('a result that comes after the model was asked again does not join the steps between', () => {
    const messages = [assistant(call('a')), user('stop'), assistant('ok'), user('go'), tool(result('a'))];
    expect(spans(messages).map(([from, to]) => [from, to])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  });

  it('is open only when the last step waits for a result', () => {
    expect(deriveSteps(entries([user('go'), assistant(call('a'), call('b')), tool(result('a'))])).map((step) => step.isOpen)).toEqual([
      false,
      true,
    ]);
    expect(deriveSteps(entries([assistant(call('a')), user('go')])).map((step) => step.isOpen)).toEqual([false, false]);
  });

  it('covers every entry exactly once, in order, and keeps each answered call with its result', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const steps = deriveSteps(transcript);
        expect(steps.flatMap((step) => Array.from({ length: step.to - step.from + 1 }, (_, index) => step.from + index))).toEqual(
          transcript.map((_, index) => index),
        );
        expect(deriveTurns(transcript).flatMap((turn) => turn.steps)).toEqual(steps);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('reads a very long and a very broken transcript in one pass', () => {
    const broken = entries(
      Array.from({ length: 50_000 }, (_, index) => (index % 2 === 0 ? assistant(call('same')) : tool(result('other')))),
    );
    expect(deriveSteps(broken)).toHaveLength(25_000);
    const run = entries(Array.from({ length: 50_000 }, (_, index) => assistant(call(`c${index}`))));
    expect(deriveSteps(run)).toHaveLength(1);
    const parts = Array.from({ length: 200_000 }, (_, index) => call(`c${index}`));
    const wide = entries([{ role: 'assistant', parts, raw: '' }]);
    expect(deriveSteps(wide)[0]!.callIds).toHaveLength(200_000);
  });
});

describe('isGenuineUser', () => {
  const is = (...parts: Parameters<typeof user>) => isGenuineUser(entries([user(...parts)])[0]!);

  it('is true for text and media of a person', () => {
    expect(is('fix the build')).toBe(true);
    expect(is(image())).toBe(true);
    expect(is('<system-reminder>rules</system-reminder>', 'fix the build')).toBe(true);
    expect(is('<system-reminder>rules</system-reminder>\nfix the build')).toBe(true);
    expect(is(result('a'), 'and then stop')).toBe(true);
    expect(is('what does <system-reminder> mean?')).toBe(true);
    expect(is('<div>why is this red?</div>')).toBe(true);
  });

  it('is false for results, client blocks, interruptions, empty text and our own summaries', () => {
    expect(is(result('a'))).toBe(false);
    expect(is('  \n')).toBe(false);
    expect(is('<system-reminder>one</system-reminder>\n<system-reminder>two</system-reminder>')).toBe(false);
    expect(is('<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>')).toBe(false);
    expect(is('<command-name>/exit</command-name>\n  <command-message>exit</command-message>')).toBe(false);
    expect(is('[Request interrupted by user for tool use]')).toBe(false);
    expect(is(frameSummary({ body: '## Goal\nship it' }))).toBe(false);
    expect(isGenuineUser(entries([assistant('fix the build')])[0]!)).toBe(false);
  });

  it('is true when real text follows our own summary in the same message', () => {
    expect(is(`${frameSummary({ body: '## Goal\nship it' })}\n\nnow deploy`)).toBe(true);
  });

  it('reads a megabyte of unclosed tags in one pass', () => {
    expect(is('<system-reminder>'.repeat(60_000))).toBe(true);
    expect(is('<'.repeat(1_000_000))).toBe(true);
  });
});

describe('safeCuts', () => {
  it('F07: lie before genuine user messages and assistant steps, never inside a step', () => {
    const messages = [
      user('go'),
      assistant(call('a')),
      user(result('a')),
      assistant('done'),
      user('next'),
      system('date'),
      assistant('ok'),
    ];
    expect(safeCuts(entries(messages))).toEqual([1, 3, 4, 6]);
  });

  it('F07: every call stays on the same side as its result, for random transcripts', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const inside = new Set(
          deriveSteps(transcript).flatMap((step) => Array.from({ length: step.to - step.from }, (_, index) => step.from + index + 1)),
        );
        for (const cut of safeCuts(transcript)) {
          expect(inside.has(cut)).toBe(false);
          expect(cut > 0 && cut < transcript.length).toBe(true);
          expect(['user', 'assistant']).toContain(transcript[cut]!.message.role);
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('never follow directly on an opaque item that pairs with what comes next', () => {
    const messages = [user('go'), message('user', opaque('item_reference')), assistant(call('a')), tool(result('a')), assistant('done')];
    expect(safeCuts(entries(messages))).toEqual([4]);
    const computer = [
      user('go'),
      message('assistant', opaque('computer_call')),
      message('tool', opaque('computer_call_output')),
      assistant('done'),
    ];
    expect(safeCuts(entries(computer))).toEqual([1, 3]);
  });

  it('is empty for a transcript of one step', () => {
    expect(safeCuts([])).toEqual([]);
    expect(safeCuts(entries([message('user', text('only'))]))).toEqual([]);
  });
});
