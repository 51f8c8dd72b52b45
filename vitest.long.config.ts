// The long runs: crash tests (`npm run test:crash`), fuzzing (`npm run test:fuzz`), real clients (`npm run test:clients`). They take minutes and are not part of `npm test`.
import { defineConfig } from 'vitest/config';

const HALF_AN_HOUR_MS = 1_800_000;

export default defineConfig({
  test: {
    include: ['src/**/*.{crash,fuzz,clients}.ts', 'test/**/*.{crash,fuzz,clients}.ts'],
    testTimeout: HALF_AN_HOUR_MS,
    pool: 'forks',
  },
});
