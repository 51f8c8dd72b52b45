// A model of the AI SDK for an endpoint. The SDK and its providers are optional packages: loaded when a chat starts.
import type * as Ai from 'ai';
import type { Api } from '../../../index.ts';
import { loadPackage } from '../missing-package.ts';

/** An endpoint with its key read. */
export interface Endpoint {
  readonly api: Api;
  /** Base URL; undefined: the provider's own. */
  readonly url?: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly maxOutputTokens?: number;
  /** Anthropic: ask for the prompt to be cached. */
  readonly promptCache?: boolean;
}

export type Fetch = typeof globalThis.fetch;

/** Makes the model of an endpoint, with every request going through the given fetch. */
export type ModelFactory = (endpoint: Endpoint, fetch: Fetch) => Ai.LanguageModel;

/** Sent where an endpoint asks for no key: the SDK would else look for one in the environment on its own. */
const NO_KEY = 'none';

/** Loads what the APIs need. Throws option_invalid with the package to install. */
export async function loadModelFactory(endpoints: readonly Pick<Endpoint, 'api' | 'url'>[]): Promise<ModelFactory> {
  const factories = new Map<string, ModelFactory>();
  for (const endpoint of endpoints) {
    const kind = kindOf(endpoint);
    if (!factories.has(kind)) factories.set(kind, await FACTORIES[kind]());
  }
  return (endpoint, fetch) => factories.get(kindOf(endpoint))!(endpoint, fetch);
}

type Kind = 'anthropic' | 'openai' | 'openai-compatible';

function kindOf({ api, url }: Pick<Endpoint, 'api' | 'url'>): Kind {
  if (api === 'anthropic') return 'anthropic';
  return api === 'openai-responses' || url === undefined ? 'openai' : 'openai-compatible';
}

const FACTORIES: Readonly<Record<Kind, () => Promise<ModelFactory>>> = {
  anthropic: async () => {
    const { createAnthropic } = await loadPackage('@ai-sdk/anthropic', 'The api "anthropic"', () => import('@ai-sdk/anthropic'));
    return ({ url, model, apiKey = NO_KEY }, fetch) => createAnthropic({ baseURL: url, apiKey, fetch })(model);
  },
  openai: async () => {
    const { createOpenAI } = await loadPackage('@ai-sdk/openai', 'OpenAI', () => import('@ai-sdk/openai'));
    return ({ api, url, model, apiKey = NO_KEY }, fetch) => {
      const provider = createOpenAI({ baseURL: url, apiKey, fetch });
      return api === 'openai-responses' ? provider.responses(model) : provider.chat(model);
    };
  },
  'openai-compatible': async () => {
    const load = () => import('@ai-sdk/openai-compatible');
    const { createOpenAICompatible } = await loadPackage('@ai-sdk/openai-compatible', 'An OpenAI-compatible endpoint', load);
    return ({ url = '', model, apiKey = NO_KEY }, fetch) =>
      createOpenAICompatible({ name: 'endpoint', baseURL: url, apiKey, fetch, includeUsage: true }).chatModel(model);
  },
};

export type Sdk = Pick<typeof Ai, 'streamText' | 'generateText' | 'tool' | 'jsonSchema'>;

export async function loadSdk(): Promise<Sdk> {
  // What the SDK would print of models and settings that it does not know is no word for the people here.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  return loadPackage('ai', 'The chat', () => import('ai'));
}
