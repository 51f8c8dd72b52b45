// Result items of Responses: each type of call is answered by its own type of item.
import type { ResultText } from '../codec.ts';
import { quote } from '../json/quote.ts';
import { outputTypeOf } from './item-types.ts';

/** One transparent pixel: a computer call must be answered by an image, and this is the smallest. */
const ONE_PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The output of a shell call, as one chunk. */
export function shellOutput(text: string, outcome = '{"type":"exit","exit_code":0}'): string {
  return `[{"stdout":${quote(text)},"stderr":"","outcome":${outcome}}]`;
}

/** The output of a computer call without its screenshot. */
export function computerOutput(): string {
  return `{"type":"computer_screenshot","image_url":"${ONE_PIXEL}"}`;
}

/** The item that answers a call. */
export function encodeOutput(result: ResultText): string {
  const type = outputTypeOf(result.wireType);
  const head = `{"type":"${type}","call_id":${quote(result.callId)}`;
  if (type === 'computer_call_output') return `${head},"output":${computerOutput()}}`;
  if (type === 'shell_call_output') {
    return `${head},"output":${shellOutput(result.text, `{"type":"exit","exit_code":${result.isError ? 1 : 0}}`)}}`;
  }
  const status = type === 'apply_patch_call_output' ? `,"status":"${result.isError ? 'failed' : 'completed'}"` : '';
  return `${head}${status},"output":${quote(result.text)}}`;
}
