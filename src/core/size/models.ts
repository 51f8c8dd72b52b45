// Windows of well-known models by name. The first pattern that fits wins, so variants stand before their families.

export interface KnownModel {
  /** Context length, tokens. */
  readonly window: number;
  readonly maxOutputTokens?: number;
}

const MODELS: readonly (readonly [pattern: RegExp, window: number, maxOutputTokens: number])[] = [
  [/(\[1m\]|[:-]1m\b)/, 1_000_000, 64_000],
  [/claude.*(fable|mythos)/, 1_000_000, 128_000],
  [/claude-(opus|sonnet|haiku)-(4-[6-9]|5)/, 200_000, 64_000],
  [/claude/, 200_000, 64_000],
  [/gpt-4\.1/, 1_047_576, 32_768],
  [/gpt-4o|chatgpt-4o/, 128_000, 16_384],
  [/gpt-5.*codex|codex/, 400_000, 128_000],
  [/gpt-5-chat/, 128_000, 16_384],
  [/gpt-[56]/, 400_000, 128_000],
  [/gpt-oss/, 131_072, 131_072],
  [/gpt-4-turbo/, 128_000, 4_096],
  [/gpt-4/, 8_192, 8_192],
  [/gpt-3\.5/, 16_385, 4_096],
  [/\bo[134](-|$)/, 200_000, 100_000],
  [/gemini/, 1_048_576, 65_536],
  [/gemma-?3/, 131_072, 8_192],
  [/mistral-large|mistral-medium|devstral|magistral/, 131_072, 32_768],
  [/codestral/, 262_144, 32_768],
  [/mistral|ministral|pixtral/, 131_072, 32_768],
  [/deepseek/, 131_072, 8_192],
  [/qwen3-coder|qwen-?3.*1m/, 262_144, 65_536],
  [/qwen3|qwen-3/, 131_072, 32_768],
  [/qwen/, 32_768, 8_192],
  [/llama-?4-scout/, 1_000_000, 16_384],
  [/llama-?4/, 1_000_000, 16_384],
  [/llama-?3\.[123]/, 131_072, 8_192],
  [/llama/, 8_192, 4_096],
  [/grok-4-fast|grok-4\.1/, 2_000_000, 131_072],
  [/grok-code/, 262_144, 65_536],
  [/grok-4/, 262_144, 131_072],
  [/grok/, 131_072, 32_768],
  [/kimi-k2|moonshot/, 262_144, 32_768],
  [/kimi/, 131_072, 16_384],
  [/glm-4\.[5-9]|glm-5/, 200_000, 98_304],
  [/minimax/, 204_800, 65_536],
];

/** Sources: the providers' model pages, autumn 2026. A caller that knows better says so with the option models. */
export function findModel(name: string): KnownModel | undefined {
  const lower = name.toLowerCase();
  const found = MODELS.find(([pattern]) => pattern.test(lower));
  return found && { window: found[1], maxOutputTokens: found[2] };
}
