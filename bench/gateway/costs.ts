// The bill of a long tool-heavy session, with and without a gateway, by the strict provider's prices (cached prefixes are cheaper).
import { createGateway } from '../../src/apps/gateway/gateway.ts';
import { memoryStore, strictProvider } from '../../src/testkit/index.ts';

const TURNS = 100;
const STEPS = 3;
const RESULT_WORDS = 900;
const GOAL = 0.5;

interface Setting {
  readonly name: string;
  readonly provider: { readonly window: number };
  /** Undefined: sent directly. */
  readonly gateway?: { readonly window: number; readonly threshold?: number; readonly target?: number };
}

interface Bill {
  readonly cost: number;
  readonly requests: number;
  readonly overflows: number;
  readonly largestTokens: number;
  readonly compactions: number;
}

export async function compareCosts(): Promise<void> {
  const fits = { window: 1_000_000 };
  const plain = await play({ name: 'direct', provider: fits });
  tell('100 turns, window 1M, direct', plain);
  for (const threshold of [200_000, 100_000]) {
    const behind = await play({ name: 'through', provider: fits, gateway: { ...fits, threshold, target: threshold * 0.4 } });
    const ratio = behind.cost / plain.cost;
    tell(
      `through, threshold ${threshold / 1_000}k`,
      behind,
      `${ratio.toFixed(2)} of direct; goal ${GOAL}: ${ratio <= GOAL ? 'reached' : 'MISSED'}`,
    );
  }
  const small = { window: 200_000 };
  tell('window 200k, direct', await play({ name: 'direct', provider: small }));
  tell('window 200k, through', await play({ name: 'through', provider: small, gateway: small }));
}

function tell(name: string, bill: Bill, more = ''): void {
  const { cost, requests, overflows, largestTokens, compactions } = bill;
  console.log(
    `${name}: cost ${cost.toFixed(2)}, ${requests} requests, ${overflows} overflows, largest ${largestTokens} tokens, ${compactions} compactions ${more}`.trim(),
  );
}

async function play({ provider: options, gateway: policy }: Setting): Promise<Bill> {
  const provider = await strictProvider({ ...options, maxRequests: 2, answer: () => 'Well done.' });
  const gateway =
    policy &&
    (await createGateway({
      store: memoryStore(),
      port: 0,
      upstreamAnthropic: provider.url,
      models: { window: policy.window, maxOutputTokens: 8_000 },
      policy: policy.threshold === undefined ? {} : { threshold: policy.threshold, target: policy.target },
    }));
  let overflows = 0;
  let largestTokens = 0;
  let requests = 0;
  for (const body of session()) {
    const answer = await fetch(`${gateway?.url ?? provider.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    requests++;
    if (answer.status === 400) overflows++;
    else if (answer.status !== 200) throw new Error(`The strict provider answered ${answer.status}.`);
    largestTokens = Math.max(largestTokens, provider.requests.at(-1)?.tokens ?? 0);
  }
  const { cost } = provider.bill();
  const compactions = gateway?.totals().compactions ?? 0;
  await gateway?.close();
  await provider.close();
  return { cost, requests, overflows, largestTokens, compactions };
}

/** One request before each answer of the model: asks, calls with results, a cache marker that moves to the newest message. */
function* session(): Generator<Record<string, unknown>> {
  const tools = [{ name: 'read', description: 'Reads a file. '.repeat(200), input_schema: { type: 'object' } }];
  const messages: { role: string; content: Record<string, unknown>[] }[] = [];
  const request = () => {
    for (const { content } of messages.slice(-3)) delete content.at(-1)!.cache_control;
    messages.at(-1)!.content.at(-1)!.cache_control = { type: 'ephemeral' };
    return { model: 'claude-sonnet-4-5', max_tokens: 8_000, system: 'You mend programs.', tools, messages };
  };
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ role: 'user', content: [{ type: 'text', text: `Ask ${turn}: mend part ${turn} and keep its tests green.` }] });
    for (let step = 0; step < STEPS; step++) {
      yield request();
      const id = `toolu_${turn}_${step}`;
      messages.push({
        role: 'assistant',
        content: [
          { type: 'text', text: `Looking at part ${turn}.${step}.` },
          { type: 'tool_use', id, name: 'read', input: { path: `src/part-${turn}/file-${step}.ts` } },
        ],
      });
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: resultText(turn * STEPS + step) }] });
    }
    yield request();
    messages.push({ role: 'assistant', content: [{ type: 'text', text: `Part ${turn} is mended; its ${turn + 3} tests pass.` }] });
  }
}

function resultText(number: number): string {
  return Array.from({ length: RESULT_WORDS }, (_, word) => `line${(number * 7919 + word * 31) % 9973}`).join(' ');
}
