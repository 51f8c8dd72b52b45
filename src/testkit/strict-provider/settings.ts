// Options with their defaults filled in, per model.
import { systemClock } from '../../adapters/system/index.ts';
import type { Clock } from '../../ports/clock.ts';
import { DEFAULT_PRICES, type Prices } from './bill.ts';
import type { StrictModelOptions, StrictProviderOptions } from './options.ts';
import { type Counting, countQuarter, createCounting } from './tokens.ts';

/** The settings of one model. */
export interface ModelSettings {
  readonly windowTokens: number;
  readonly maxOutputTokens: number | undefined;
  readonly overflow: NonNullable<StrictModelOptions['overflow']>;
  readonly overflowNumbers: boolean;
  readonly outputOverWindow: NonNullable<StrictModelOptions['outputOverWindow']>;
  readonly cacheMinimumTokens: number;
  readonly prices: Prices;
}

export interface Settings {
  readonly options: StrictProviderOptions;
  readonly clock: Clock;
  readonly counting: Counting;
  readonly chunkChars: number;
  model(name: string): ModelSettings;
}

const DEFAULT_WINDOW_TOKENS = 200_000;
const DEFAULT_CACHE_MINIMUM_TOKENS = 1_024;
const DEFAULT_CHUNK_CHARS = 24;

/** Fills in what was not given. */
export function resolveSettings(options: StrictProviderOptions): Settings {
  return {
    options,
    clock: options.clock ?? systemClock,
    counting: createCounting(options.count ?? countQuarter),
    chunkChars: Math.max(1, options.chunkChars ?? DEFAULT_CHUNK_CHARS),
    model(name) {
      const models = options.models ?? {};
      const own: StrictModelOptions = Object.hasOwn(models, name) ? models[name]! : {};
      const all = { ...options, ...own };
      return {
        windowTokens: all.window ?? DEFAULT_WINDOW_TOKENS,
        maxOutputTokens: all.maxOutputTokens,
        overflow: all.overflow ?? 'status',
        overflowNumbers: all.overflowNumbers ?? true,
        outputOverWindow: all.outputOverWindow ?? 'refuse',
        cacheMinimumTokens: all.cacheMinimumTokens ?? DEFAULT_CACHE_MINIMUM_TOKENS,
        prices: { ...DEFAULT_PRICES, ...options.prices, ...own.prices },
      };
    },
  };
}
