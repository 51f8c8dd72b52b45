// What is measured: a way to make a smaller context of a longer one. Ullage, the baselines and other projects all stand behind this.
import type { WireCodec } from '../../../../core/codec.ts';
import type { Api, Entry } from '../../../../core/transcript/entry.ts';

/** A context that has become too large. */
export interface StrategyInput {
  readonly codec: WireCodec;
  /** All messages behind the preamble's, in order. `message.raw` is the JSON text, `codec.api` its format. */
  readonly entries: readonly Entry[];
  /** Tokens the messages may take together, by the estimate of `entries`: those of the preamble are taken off already. */
  readonly budgetTokens: number;
  /** Position of the first thing a person said; it stays. undefined = nobody said anything. */
  readonly firstAsk?: number;
  /** What will be asked at this cut: told to a strategy that says `hasHindsight`, and to no other. */
  readonly hindsight?: readonly string[];
  /** `state` of what this strategy made before of the same conversation; undefined the first time. */
  readonly previous?: unknown;
}

/** What a strategy makes of it. */
export interface Compacted {
  /** JSON texts of the messages to send behind the preamble. */
  readonly messages: readonly string[];
  /** Their format, when it is not that of the input. */
  readonly api?: Api;
  /** Texts that a handle printed in the messages opens, one call each. */
  readonly behindHandles?: readonly string[];
  /** Handles that are printed and open nothing. */
  readonly deadHandles?: number;
  /** Given back as `previous` the next time. */
  readonly state?: unknown;
}

export interface Strategy {
  /** As it is shown, at most 16 letters. */
  readonly name: string;
  /** It keeps the whole history: each time it is given all of it, not what it made of it before. */
  readonly isFedFromStore?: boolean;
  /** It cannot aim at a budget: it is graded at the size it makes, and the size is shown. */
  readonly isUnaimed?: boolean;
  /** It is told what will be asked, to show what a perfect choice would keep. */
  readonly hasHindsight?: boolean;
  /** Another project: it is shown in a table of its own, and measured by what it keeps alone. */
  readonly isPeer?: boolean;
  /** Measured by what it keeps alone: it has nothing to say of rounds and replays. */
  readonly isRetentionOnly?: boolean;
  compact(input: StrategyInput): Compacted | Promise<Compacted>;
}
