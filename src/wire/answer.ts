// Reads whole responses of the three APIs (and of their near relatives): how they ended, and whether anything was said.
import type { Answer } from '../core/answer.ts';
import type { Api } from '../core/transcript/entry.ts';
import { isObject, type JsonObject, listOf, stringOf } from './rules.ts';
import { readUsage } from './usage.ts';

/** Reads a response, or a bare usage object. Never throws; of an unknown shape it is believed that something was said. */
export function readAnswer(api: Api, response: unknown): Answer {
  const usage = readUsage(api, response);
  if (!isObject(response)) return { usage, hasContent: true };
  const finishReason = finishReasonOf(response);
  const failure = failureOf(response);
  const hasContent = failure === undefined ? saysSomething(response) !== false : saysSomething(response) === true;
  return { usage, hasContent, ...(finishReason === undefined ? {} : { finishReason }), ...(failure === undefined ? {} : { failure }) };
}

/** The first reason found, in the places of the three APIs. */
export function finishReasonOf(response: JsonObject): string | undefined {
  const choice = listOf(response.choices).find(isObject);
  const incomplete = isObject(response.incomplete_details) ? response.incomplete_details.reason : undefined;
  return stringOf(choice?.finish_reason) ?? stringOf(response.stop_reason) ?? stringOf(incomplete) ?? stringOf(response.finishReason);
}

/** An error object inside a response or event that came with a status of success. */
export function failureOf(holder: JsonObject): unknown {
  if (isObject(holder.error)) return holder.error;
  const choice = listOf(holder.choices).find(isObject);
  return isObject(choice?.error) ? choice.error : undefined;
}

/** undefined = a shape that is not known. */
function saysSomething(response: JsonObject): boolean | undefined {
  if (Array.isArray(response.choices)) return response.choices.some(choiceSpeaks);
  if (Array.isArray(response.output)) return response.output.some(blockSpeaks);
  if (Array.isArray(response.content)) return response.content.some(blockSpeaks);
  return undefined;
}

function choiceSpeaks(choice: unknown): boolean {
  return isObject(choice) && (messageSpeaks(choice.message) || isSaid(choice.text));
}

/** A message or the delta of one: text, a call, a refusal, a sound, a picture. */
export function messageSpeaks(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { content, refusal, tool_calls, function_call, audio, images } = message;
  const isSpoken = isSaid(content) || isSaid(refusal) || listOf(content).some(blockSpeaks);
  return isSpoken || listOf(tool_calls).length > 0 || listOf(images).length > 0 || isObject(function_call) || isObject(audio);
}

const SILENT_TYPES: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning', 'compaction']);

/** A content block or an output item. Reasoning says nothing to the user. */
export function blockSpeaks(block: unknown): boolean {
  if (!isObject(block) || SILENT_TYPES.has(block.type)) return false;
  if (block.type === 'message') return listOf(block.content).some(blockSpeaks);
  return typeof block.text === 'string' ? isSaid(block.text) : true;
}

function isSaid(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}
