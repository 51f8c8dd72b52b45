// The numbers of the incident `restart`.

/** What the provider measures for system prompt and tools, and no estimate sees. */
export const HIDDEN_TOKENS = 48_000;

export const RESTART_POLICY = { threshold: 50_000, target: 30_000, tailTokens: 4_000 } as const;

export const RESTART_WINDOW = 200_000;
