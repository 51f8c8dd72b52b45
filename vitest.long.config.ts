// The long runs: crash tests (`npm run test:crash`) and fuzzing (`npm run test:fuzz`). They take minutes and are not part of `npm test`.
import { defineConfig } from 'vitest/config';

const HALF_AN_HOUR_MS = 1_800_000;

export default defineConfig({
  test: {
    include: ['src/**/*.{crash,fuzz}.ts', 'test/**/*.{crash,fuzz}.ts'],
    testTimeout: HALF_AN_HOUR_MS,
    pool: 'forks',
  },
});
