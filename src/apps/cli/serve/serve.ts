// `ullage serve`: a gateway until a signal ends it; a second signal ends it at once.
import { createGateway } from '../../gateway/gateway.ts';
import type { CommandContext } from '../command.ts';
import type { ServeFlags } from '../commands/serve.ts';
import { openDatabase } from '../shared/database.ts';
import { parseWhole } from '../terminal/numbers.ts';
import { STORE_RETRY_MS } from './gateway-options.ts';
import { readGatewayFlags } from './read-flags.ts';
import { textLog } from './text-log.ts';
import { readTokens } from './tokens.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export async function runServe(flags: ServeFlags, { terminal }: CommandContext): Promise<void> {
  const { env, stdout, stderr, now } = terminal;
  const port = parseWhole('--port', flags.port, 0);
  const tokens = await readTokens({ environment: env.ULLAGE_TOKENS, file: flags.tokensFile, words: flags.token });
  const options = readGatewayFlags(flags, env);
  const log = textLog((line) => stderr.write(line), now);
  const store = await openDatabase(flags.db, { mustExist: false, retryForMs: STORE_RETRY_MS });
  const { host, allowHost: allowedHosts, allowOrigin: allowedOrigins } = flags;
  const gateway = await createGateway({ ...options, store, port, host, tokens, allowedHosts, allowedOrigins, log });
  const ended = firstSignal();
  stdout.write(`Listening on ${gateway.url}\n`);
  stderr.write(`For Anthropic's clients: ANTHROPIC_BASE_URL=${gateway.url}\nFor OpenAI's clients: OPENAI_BASE_URL=${gateway.url}/v1\n`);
  await ended;
  log.write('info', 'Ending: requests under way are finished first. A second signal ends at once.');
  const hurry = () => void gateway.close();
  for (const signal of SIGNALS) process.on(signal, hurry);
  await gateway.close();
  for (const signal of SIGNALS) process.off(signal, hurry);
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => {
      for (const signal of SIGNALS) process.off(signal, heard);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, heard);
  });
}
