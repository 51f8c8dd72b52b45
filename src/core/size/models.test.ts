import { describe, expect, it } from 'vitest';
import { findModel } from './models.ts';

describe('findModel', () => {
  it.each([
    ['claude-opus-5-5', 1_000_000],
    ['claude-sonnet-4-6', 1_000_000],
    ['anthropic/claude-opus-4.6', 1_000_000],
    ['claude-sonnet-4-5-20250929', 200_000],
    ['claude-sonnet-4-20250514', 200_000],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', 200_000],
    ['claude-haiku-4-5', 200_000],
    ['claude-3-5-sonnet-20241022', 200_000],
    ['gpt-5.6-sol', 1_050_000],
    ['gpt-5.5-2026-04-23', 1_050_000],
    ['gpt-5.4-mini-2026-03-17', 400_000],
    ['gpt-5.2-codex', 400_000],
    ['gpt-5-2025-08-07', 400_000],
    ['gpt-5.3-chat-latest', 128_000],
    ['gpt-4.1-mini', 1_047_576],
    ['gpt-4o-2024-11-20', 128_000],
    ['gpt-4-0613', 8_192],
    ['o3-2025-04-16', 200_000],
    ['gpt-oss-120b', 131_072],
    ['gemini-3-flash-preview', 1_048_576],
    ['models/gemini-1.5-pro', 2_097_152],
    ['mistral-large-2512', 262_144],
    ['codestral-2508', 131_072],
    ['deepseek-v4-pro', 1_000_000],
    ['deepseek-chat', 131_072],
    ['qwen3-coder-plus', 1_000_000],
    ['qwen3-coder-480b-a35b-instruct', 262_144],
    ['qwen2.5-coder:7b', 32_768],
    ['meta-llama/Llama-3.3-70B-Instruct', 131_072],
    ['llama-4-maverick', 1_048_576],
    ['grok-4-1-fast-reasoning', 2_000_000],
    ['grok-4.5', 500_000],
    ['moonshotai/kimi-k2.5', 262_144],
  ])('F01: %s has a window of %d', (name, window) => {
    expect(findModel(name)?.window).toBe(window);
  });

  it.each(['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5:1m', 'qwen3-coder-30b-1m'])(
    'F01: the variant of a million, %s, is found before its family',
    (name) => {
      expect(findModel(name)?.window).toBe(1_000_000);
    },
  );

  it('F01: tells the input limit where it is below the window', () => {
    expect(findModel('gpt-5-codex')).toEqual({ window: 400_000, maxOutputTokens: 128_000, maxInputTokens: 272_000 });
  });

  it('reads a window that stands in an unknown name', () => {
    expect(findModel('some-local-model-32k')?.window).toBe(32_000);
  });

  it('knows nothing of a name that says nothing', () => {
    expect(findModel('my-own-model')).toBeUndefined();
    expect(findModel('')).toBeUndefined();
  });
});
