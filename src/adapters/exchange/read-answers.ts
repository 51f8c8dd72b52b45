// Lets the engine read an exchange's answers, which carry the provider's bytes, like those of an SDK.
import type { Answer, AnswerReader, AnswerStage } from '../../core/answer.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { readAnswer } from '../../wire/answer.ts';
import { createAnswerReader } from '../../wire/answer-stream.ts';
import { WholeAnswer } from './answers.ts';
import { StreamItem } from './stream-items.ts';

/** Like `readAnswer` of the wire, and of what an exchange received. */
export function readAnyAnswer(api: Api, response: unknown): Answer {
  return readAnswer(api, response instanceof WholeAnswer ? response.body : response);
}

/** Like `createAnswerReader` of the wire, and for the chunks of an exchange. */
export function createAnyAnswerReader(api: Api): AnswerReader {
  const reader = createAnswerReader(api);
  return {
    read: (event) => (event instanceof StreamItem ? readItem(reader, event) : reader.read(event)),
    answer: () => reader.answer(),
  };
}

/** The first event that decides, decides for its chunk; all are read. */
function readItem(reader: AnswerReader, { events }: StreamItem): AnswerStage {
  let stage: AnswerStage = 'preface';
  for (const event of events) {
    const next = reader.read(event);
    if (stage !== 'content' && stage !== 'failure') stage = next;
  }
  return stage;
}
