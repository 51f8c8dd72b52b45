// The options of a strict provider and what they mean when they are not given.
import type { Clock } from '../../ports/clock.ts';
import type { ScriptedAnswer } from './answer.ts';
import type { Prices } from './bill.ts';
import type { Fault } from './fault.ts';
import type { ProviderRequest } from './request.ts';

/** What may differ from model to model. */
export interface StrictModelOptions {
  /** Context window in tokens. Default 200,000. */
  readonly window?: number;
  /** The most output the model ever gives, in tokens; a request for more is refused. Default: no such limit. */
  readonly maxOutputTokens?: number;
  /**
   * What happens to an input over the window. `status` (default): 400 with the API's words; `first-event`: the same inside a stream of status
   * 200; `truncate`: cut from the front without a word, as Ollama does; `accept`: answered, the usage says more than the window.
   */
  readonly overflow?: 'status' | 'first-event' | 'truncate' | 'accept';
  /** Overflow errors print limit and size. Default true; the Responses API never does. */
  readonly overflowNumbers?: boolean;
  /**
   * Input that fits and asked output that does not: `refuse` (default), or `accept` as newer models do, which stop at the window. The
   * Responses API always accepts.
   */
  readonly outputOverWindow?: 'refuse' | 'accept';
  /** Shorter prefixes are not cached, in tokens. Default 1,024. */
  readonly cacheMinimumTokens?: number;
  /** Members given here replace the provider's. */
  readonly prices?: Partial<Prices>;
}

/** What may be asked of a strict provider. Every member is optional. */
export interface StrictProviderOptions extends StrictModelOptions {
  /** Differences of single models, by name. A model that is not named here is served with the provider's own settings. */
  readonly models?: Readonly<Record<string, StrictModelOptions>>;
  /** What goes wrong: a list, or a function of the request. Default: nothing. */
  readonly script?: readonly Fault[] | ((request: ProviderRequest) => Fault | readonly Fault[] | undefined);
  /** What the model says; a string is a plain text. Default: "Well done." */
  readonly answer?: (request: ProviderRequest) => string | ScriptedAnswer | undefined | Promise<string | ScriptedAnswer | undefined>;
  /** Tokens of a text. Default: a quarter of its UTF-16 units, rounded up. Media weighs 1,600 tokens apiece whatever its bytes. */
  readonly count?: (text: string) => number;
  /** Time for cache lifetimes and slow answers. Default: the machine's. */
  readonly clock?: Clock;
  /**
   * How strict the structure is: `api` (default) the rules of the API itself; `openai` also the limits of OpenAI's hosted API; `local` also those of
   * strict chat templates and relays; `none` takes everything.
   */
  readonly rules?: 'api' | 'openai' | 'local' | 'none';
  /**
   * Thinking blocks sent back: `bound` (default): those signed by a strict provider are refused when what stands before them has changed, others are
   * taken; `all`: signatures of others are refused too; `none`: not looked at.
   */
  readonly signatures?: 'bound' | 'all' | 'none';
  /** Refuse requests without a credential (401), and Messages requests without `anthropic-version` (400). Default false. */
  readonly strictHeaders?: boolean;
  /** Larger bodies are refused with 413. Default 33,554,432 (32 MiB). */
  readonly maxBodyBytes?: number;
  /** Characters per streamed delta. Default 24. */
  readonly chunkChars?: number;
  /** Received requests that are kept. Default 1,000. */
  readonly maxRequests?: number;
  /** Bytes of bodies that are kept, all together; the newest request is always kept. Default 67,108,864 (64 MiB). */
  readonly maxKeptBytes?: number;
  /**
   * The number of the first id (messages, responses, calls). Default 1: the same run gives the same ids. A provider that goes on with the conversations
   * of an earlier one begins higher, since ids of calls must be unique in a conversation.
   */
  readonly firstId?: number;
  /** TCP port on 127.0.0.1. Default 0: a free one. */
  readonly port?: number;
}
