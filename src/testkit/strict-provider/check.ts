// A request for an answer up to the point where it may be served: structure, signatures, size.
import type { Api } from '../../core/transcript/entry.ts';
import type { JsonObject } from '../../wire/rules.ts';
import { checkCompactionBlocks } from './compaction-blocks.ts';
import { editContext } from './context-edits.ts';
import { type AskedOutput, askedOutput } from './limits.ts';
import { checkReasoning } from './reasoning.ts';
import { invalidRequest, type Refusal } from './refusal.ts';
import { credentialOf, type OpenRequest } from './request.ts';
import { type Segment, segmentsOf, totalTokens } from './segments.ts';
import type { ModelSettings } from './settings.ts';
import { checkHeaders, checkRules, checkStructure } from './structure.ts';
import { checkThinking } from './thinking.ts';
import type { World } from './world.ts';

/** A request that breaks no rule. */
export interface Checked {
  readonly api: Api;
  /** The body as the model reads it: with what the server holds of it, without what it was asked to clear. */
  readonly body: JsonObject;
  readonly segments: readonly Segment[];
  readonly model: ModelSettings;
  readonly asked: AskedOutput | undefined;
  /** Input tokens before anything was cleared. */
  readonly originalTokens: number;
  /** What the answer tells of the request. */
  readonly notes: Readonly<Record<string, unknown>>;
}

type Finding = Checked | { readonly refusal: Refusal };

/** Checks and counts; the count is noted in the request. */
export function checkRequest(world: World, request: OpenRequest): Finding {
  try {
    return checkAll(world, request);
  } catch (error) {
    // Values nested so deeply that they cannot be written again.
    if (error instanceof RangeError) return { refusal: invalidRequest('The request body is nested too deeply.') };
    throw error;
  }
}

function checkAll(world: World, request: OpenRequest): Finding {
  const { settings } = world;
  const { options } = settings;
  const api = request.api!;
  const broken = (options.strictHeaders ? checkHeaders(request) : undefined) ?? checkStructure(request, options.rules ?? 'api');
  if (broken !== undefined) return { refusal: broken };
  const body = api === 'openai-responses' ? world.responses.complete(request.body) : request.body;
  if (body === undefined) return { refusal: unknownResponse(request.body) };
  const held = body === request.body ? undefined : checkRules(api, JSON.stringify({ ...body, previous_response_id: undefined }));
  const signed = held === undefined ? checkSigned(world, request, body) : { refusal: held, notes: {} };
  if (signed.refusal !== undefined) return { refusal: signed.refusal };
  const read = readBody(world, api, body);
  const asked = askedOutput(api, request.body);
  request.tokens = totalTokens(read.segments);
  return { api, ...read, model: settings.model(request.model), asked, notes: { ...signed.notes, ...read.notes } };
}

function readBody({ settings }: World, api: Api, whole: JsonObject): Pick<Checked, 'body' | 'segments' | 'originalTokens' | 'notes'> {
  const segments = segmentsOf(api, whole, settings.counting);
  const originalTokens = totalTokens(segments);
  if (api !== 'anthropic') return { body: whole, segments, originalTokens, notes: {} };
  const { body, applied } = editContext(whole, (edited) => totalTokens(segmentsOf(api, edited, settings.counting)));
  const notes = applied === undefined ? {} : { context_management: { applied_edits: applied } };
  return { body, segments: body === whole ? segments : segmentsOf(api, body, settings.counting), originalTokens, notes };
}

function checkSigned(world: World, request: OpenRequest, body: JsonObject): { refusal?: Refusal; notes: Checked['notes'] } {
  const mode = world.settings.options.signatures ?? 'bound';
  if (request.api === 'anthropic') {
    const refusal = checkCompactionBlocks(body, mode);
    return refusal === undefined ? checkThinking(body, mode, request.headers['anthropic-beta']) : { refusal, notes: {} };
  }
  if (request.api === 'openai-chat') return { notes: {} };
  return { refusal: checkReasoning(body, credentialOf(request), mode), notes: {} };
}

function unknownResponse(body: JsonObject): Refusal {
  const message = `Previous response with id '${String(body.previous_response_id)}' not found.`;
  return { ...invalidRequest(message, 400, 'previous_response_id'), code: 'previous_response_not_found' };
}
