// Windows of well-known models by name. A caller who knows better says so with the option `models`; a provider's error lowers what is wrong.

/** What a registry knows of a model. */
export interface KnownModel {
  /** Context length, tokens. */
  readonly window: number;
  /** Largest answer, tokens. */
  readonly maxOutputTokens?: number;
  /** Largest input, tokens, where the provider limits it below the window. */
  readonly maxInputTokens?: number;
}

type Row = readonly [pattern: RegExp, window: number, maxOutputTokens?: number, maxInputTokens?: number];

/** The first pattern that fits wins: variants stand before their families. Taken from the providers' model pages, November 2026. */
const MODELS: readonly Row[] = [
  // Anthropic. 4.5 and older serve 1M only to a variant (see MILLION).
  [/claude.*(fable|mythos)/, 1_000_000, 128_000],
  [/claude-(opus|sonnet)-4[-.][6-9](?!\d)/, 1_000_000, 128_000],
  [/claude-haiku-4[-.]5(?!\d)/, 200_000, 64_000],
  [/claude-(opus|sonnet|haiku)-([5-9])(?!\d)/, 1_000_000, 128_000],
  [/claude-opus-4[-.]5(?!\d)|claude-sonnet-4|claude-3[-.]7/, 200_000, 64_000],
  [/claude-opus-4/, 200_000, 32_000],
  [/claude-3/, 200_000, 8_192],
  [/claude/, 200_000, 64_000],
  // OpenAI
  [/gpt-oss/, 131_072, 131_072],
  [/gpt-5(\.\d)?-chat/, 128_000, 16_384],
  [/gpt-5\.[4-9]-(mini|nano|cyber)/, 400_000, 128_000, 272_000],
  [/gpt-5\.6|gpt-[6-9]/, 1_050_000, 128_000, 922_000],
  [/gpt-5\.[4-9]/, 1_050_000, 128_000],
  [/codex-mini-latest/, 200_000, 100_000],
  [/gpt-5|codex|chat-latest/, 400_000, 128_000, 272_000],
  [/gpt-4\.1/, 1_047_576, 32_768],
  [/gpt-4o|gpt-4\.5|chatgpt-4o/, 128_000, 16_384],
  [/gpt-4-(turbo|1106|0125|vision)/, 128_000, 4_096],
  [/gpt-4-32k/, 32_768, 32_768],
  [/gpt-4/, 8_192, 8_192],
  [/gpt-3\.5-turbo-instruct/, 4_096, 4_096],
  [/gpt-3\.5/, 16_385, 4_096],
  [/\bo1-(mini|preview)/, 128_000, 65_536],
  [/\bo[134](-|$)/, 200_000, 100_000],
  // Google
  [/gemini-1\.5-pro/, 2_097_152, 8_192],
  [/gemini-(1\.5|2\.0)/, 1_048_576, 8_192],
  [/gemini/, 1_048_576, 65_536],
  [/gemma-?[3-9]/, 131_072, 8_192],
  // Mistral
  [/mistral-large-(3|25|26)|mistral-medium-3[-.]5|devstral-(2|medium)|ministral-3|mistral-small-4/, 262_144, 32_768],
  [/mixtral-8x22b/, 65_536, 16_384],
  [/mixtral|mistral-7b/, 32_768, 8_192],
  [/mistral|ministral|devstral|magistral|codestral|pixtral/, 131_072, 32_768],
  // DeepSeek
  [/deepseek-?(v[4-9]|flash)/, 1_000_000, 384_000],
  [/deepseek/, 131_072, 8_192],
  // Qwen
  [/qwen-?3(\.\d)?-coder-(plus|flash)|qwen-?3\.\d-(plus|flash)|qwen-(turbo|flash|plus)/, 1_000_000, 65_536],
  [/qwen-?3-(max|coder|next)|qwen-?3\.\d|qwen-?3.*2507/, 262_144, 65_536],
  [/qwen-?3|qwq|qwen-max/, 131_072, 32_768],
  [/qwen/, 32_768, 8_192],
  // Meta
  [/llama-?4/, 1_048_576, 16_384],
  [/llama-?3[-.][1-9](?!\d)/, 131_072, 8_192],
  [/llama/, 8_192, 4_096],
  // xAI
  [/grok-4[-.]5/, 500_000, 128_000],
  [/grok-4([-.]1)?-fast|grok-4[-.]20/, 2_000_000, 30_000],
  [/grok-(4|code)/, 256_000, 64_000],
  [/grok/, 131_072, 32_768],
  // Moonshot, Z.ai, MiniMax
  [/kimi-k[2-9]/, 262_144, 32_768],
  [/kimi/, 131_072, 16_384],
  [/glm-(4[-.][6-9]|[5-9])/, 200_000, 128_000],
  [/glm-4[-.]5/, 131_072, 98_304],
  [/minimax-?(text-01|m1)/, 1_000_000, 40_000],
  [/minimax/, 204_800, 65_536],
];

/** A variant with a window of a million, whatever its family has. */
const MILLION = /[[:-]1m\b/;
const MILLION_TOKENS = 1_000_000;

/** A window that stands in a name nobody knows: some-model-32k. */
const NAMED_WINDOW = /[-_:](4|8|16|32|64|128|200|256|512)k\b/;

/** What is known of a model; undefined for a name that says nothing. Prefixes like `openrouter/anthropic/` do not matter. */
export function findModel(name: string): KnownModel | undefined {
  const lower = name.toLowerCase();
  const row = MODELS.find(([pattern]) => pattern.test(lower));
  const isMillion = MILLION.test(lower);
  if (row) {
    const [, window, maxOutputTokens, maxInputTokens] = row;
    return isMillion ? { window: Math.max(window, MILLION_TOKENS), maxOutputTokens } : { window, maxOutputTokens, maxInputTokens };
  }
  if (isMillion) return { window: MILLION_TOKENS };
  const named = NAMED_WINDOW.exec(lower)?.[1];
  return named === undefined ? undefined : { window: Number(named) * 1_000 };
}
