// The cost replay of any strategy: its context grows with the transcript, and it is called whenever the threshold is passed.
import type { RequestBody, WireCodec } from '../../../../core/codec.ts';
import { estimateMessage } from '../../../../core/size/estimator.ts';
import { convertMessages } from '../../../../wire/convert.ts';
import { codecFor, messageTexts } from '../../../../wire/index.ts';
import type { Compacted, Strategy } from '../strategies/strategy.ts';
import { entriesOf } from '../transcript/entries.ts';
import type { Sent } from './prices.ts';
import { addUp, neverCompacting, type Replayed, type ReplayPlan } from './replay.ts';

/** Plays it with any strategy: called with the target whenever a request reaches the threshold. */
export async function replayWithStrategy(
  plan: ReplayPlan,
  strategy: Strategy,
  marks: { readonly threshold: number; readonly target: number },
): Promise<Replayed> {
  const { history, windowTokens } = plan;
  const runner = new StrategyReplay(plan, strategy);
  const sent: Sent[] = [];
  let compactions = 0;
  for (const request of history.requests) {
    runner.take(request.messages);
    if (runner.tokens >= marks.threshold) {
      await runner.compact(marks.target);
      compactions += 1;
    }
    sent.push(runner.send());
  }
  return {
    sent: addUp(sent),
    never: neverCompacting(history.requests.map(({ tokens }) => tokens)),
    requests: sent.length,
    compactions,
    overWindow: sent.filter(({ tokens }) => tokens > windowTokens).length,
  };
}

/** The context of one strategy on its way through a transcript. It only grows between compactions, so what it weighs is added up as it grows. */
class StrategyReplay {
  private readonly strategy: Strategy;
  private readonly preambleTokens: number;
  private readonly raws: readonly string[];
  private readonly body: RequestBody;
  private readonly own: WireCodec;
  private codec: WireCodec;
  private context: string[] = [];
  private contextTokens = 0;
  private taken = 0;
  private made: Compacted | undefined;
  /** Messages at the beginning that the last request had, too, and their tokens; undefined before the first request. */
  private common: { readonly count: number; readonly tokens: number } | undefined;

  constructor({ loaded, history }: ReplayPlan, strategy: Strategy) {
    this.strategy = strategy;
    this.own = loaded.codec;
    this.codec = loaded.codec;
    this.body = loaded.body;
    this.raws = messageTexts(loaded.body).slice(loaded.body.preambleCount);
    this.preambleTokens = history.preambleTokens;
  }

  /** Appends what came since; `messages` counts the preamble's, too. */
  take(messages: number): void {
    const end = messages - this.body.preambleCount;
    const added = this.raws.slice(this.taken, end);
    this.append(this.codec === this.own ? added : convertMessages(this.own.api, this.codec.api, added));
    this.taken = end;
  }

  get tokens(): number {
    return this.preambleTokens + this.contextTokens;
  }

  async compact(targetTokens: number): Promise<void> {
    const isFed = this.strategy.isFedFromStore === true;
    const codec = isFed ? this.own : this.codec;
    const entries = entriesOf(codec, isFed ? this.raws.slice(0, this.taken) : this.context);
    const firstAsk = entries.find(({ message }) => message.role === 'user')?.position;
    const budgetTokens = Math.max(0, targetTokens - this.preambleTokens);
    this.made = await this.strategy.compact({ codec, entries, budgetTokens, firstAsk, previous: this.made?.state });
    const sent = this.context.slice(0, this.common?.count);
    this.codec = this.made.api === undefined ? codec : codecFor(this.made.api);
    this.context = [];
    this.contextTokens = 0;
    this.append(this.made.messages);
    if (this.common !== undefined) this.common = this.commonWith(sent);
  }

  send(): Sent {
    const cachedTokens = this.common === undefined ? 0 : this.preambleTokens + this.common.tokens;
    this.common = { count: this.context.length, tokens: this.contextTokens };
    return { tokens: this.tokens, cachedTokens };
  }

  private append(raws: readonly string[]): void {
    for (const raw of raws) {
      this.context.push(raw);
      this.contextTokens += this.tokensOf(raw);
    }
  }

  private commonWith(sent: readonly string[]) {
    const changed = sent.findIndex((raw, index) => raw !== this.context[index]);
    const kept = changed < 0 ? sent : sent.slice(0, changed);
    return { count: kept.length, tokens: kept.reduce((sum, raw) => sum + this.tokensOf(raw), 0) };
  }

  private tokensOf(raw: string): number {
    return estimateMessage(this.codec.decodeMessage(raw));
  }
}
