// Window and output cap: what is asked for against what the model has.
import type { Api } from '../../core/transcript/entry.ts';
import { OUTPUT_KEYS } from '../../wire/facts.ts';
import type { JsonObject } from '../../wire/rules.ts';
import { outputOverCap, outputOverWindow, overflowRefusal, type Refusal } from './refusal.ts';
import type { ModelSettings } from './settings.ts';

/** The output a request asks for: the member that says it and the tokens. */
export interface AskedOutput {
  readonly key: string;
  readonly tokens: number;
}

/** undefined when the request names no number. */
export function askedOutput(api: Api, body: JsonObject): AskedOutput | undefined {
  for (const key of OUTPUT_KEYS[api]) {
    const tokens = body[key];
    if (typeof tokens === 'number') return { key, tokens };
  }
  return undefined;
}

/** The refusal for a size, or undefined when the request is served. An overflow is marked: it may have to come inside a stream. */
export function checkLimits(
  request: { readonly api: Api; readonly model: string; readonly tokens: number; readonly asked: AskedOutput | undefined },
  settings: ModelSettings,
): { readonly refusal: Refusal; readonly isOverflow: boolean } | undefined {
  const { api, model, tokens, asked } = request;
  const { windowTokens, maxOutputTokens } = settings;
  if (asked !== undefined && maxOutputTokens !== undefined && asked.tokens > maxOutputTokens) {
    const size = { key: asked.key, outputTokens: asked.tokens, capTokens: maxOutputTokens, model };
    return { refusal: outputOverCap(api, size), isOverflow: false };
  }
  if (tokens > windowTokens) {
    if (settings.overflow === 'accept' || settings.overflow === 'truncate') return undefined;
    return { refusal: overflowRefusal(api, { tokens, windowTokens, numbers: settings.overflowNumbers }), isOverflow: true };
  }
  const isOver = asked !== undefined && tokens + asked.tokens > windowTokens;
  if (!isOver || api === 'openai-responses' || settings.outputOverWindow === 'accept') return undefined;
  return { refusal: outputOverWindow(api, { tokens, outputTokens: asked.tokens, windowTokens }), isOverflow: false };
}
