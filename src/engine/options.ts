// The options of createUllage, checked and completed with defaults. What is wrong is named here, before anything runs.
import { UllageError } from '../core/errors.ts';
import type { GuardOptions } from '../core/guard/guard.ts';
import { completeGuardOptions } from '../core/guard/options.ts';
import type { Plan } from '../core/plan/plan.ts';
import { GUESSED_WINDOW_TOKENS, type PolicyOptions, validatePolicy } from '../core/size/budget.ts';
import { findModel } from '../core/size/models.ts';
import { APIS, type Api } from '../core/transcript/entry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { Summarizer } from '../ports/summarizer.ts';
import type { TokenCounter } from '../ports/token-counter.ts';

/** What is known of a model. */
export interface ModelFacts {
  /** Context length, tokens. */
  readonly window: number;
  /** Largest output, tokens. */
  readonly maxOutputTokens?: number;
}

/** Options of `createUllage`. Only `store` and `api` are needed. */
export interface UllageOptions {
  /** Where everything is kept. `sqliteStore(path)` from `ullage/sqlite`, or `memoryStore()` from `ullage/testkit`. */
  readonly store: Store;
  /** The request format that bodies are in. */
  readonly api: Api;
  /** Windows of models: a function of the name, or one object for all. Default: the built-in registry, then a guess of 128,000 with a warning. */
  readonly models?: ((model: string) => ModelFacts | undefined) | ModelFacts;
  /** One summarizer or an ordered chain. Default: none; the facts are the summary. */
  readonly summarizer?: Summarizer | readonly Summarizer[];
  /** Budgets. Numbers 0..1 are shares of usable, larger ones are tokens. */
  readonly policy?: PolicyOptions;
  /** Sees each plan before it is executed; 'cancel' ends the attempt, a returned plan is used instead. */
  readonly beforeCompact?: (plan: Plan) => Plan | 'cancel' | Promise<Plan | 'cancel'>;
  /** Names the upstream, e.g. its base URL: calibration and learnt windows are kept per (route, model). Default: the API's name. */
  readonly route?: string;
  /** Who may see the sessions. Default 'local'. */
  readonly tenant?: string;
  /**
   * Name of a tool by which the agent can open handles, also behind a prefix that ends in `_` or `.`; stubs print handles only for requests that
   * declare it. Default 'ullage_read', the tool of `ullage mcp`.
   */
  readonly retrievalTool?: string;
  /** Counts texts instead of the built-in estimator, e.g. the exact tokenizer of `ullage/tokenizer`. */
  readonly counter?: TokenCounter;
  /** Longest a turn waits for summarizers, the whole chain together, milliseconds. One that others follow gets half. Default 20,000. */
  readonly summaryDeadlineMs?: number;
  /** The same for what is prepared in the background (`policy.background`), milliseconds. Default 120,000. */
  readonly backgroundDeadlineMs?: number;
  /** Longest a turn waits for another's compaction, milliseconds. Default 2,000. */
  readonly leaseWaitMs?: number;
  /** Named constants of the guard, each with a default. */
  readonly guard?: Partial<GuardOptions>;
  /** Time; for tests. Default: the system's. */
  readonly clock?: Clock;
  /** Where lines for people go. Default: nowhere. */
  readonly log?: Log;
  /** A fresh unique name; for tests. Default: random UUID without dashes. */
  readonly newId?: () => string;
  /** SHA-256 as lower-case hex; default node:crypto. */
  readonly digest?: (text: string) => string;
}

function invalid(option: string, value: unknown, limit: string): never {
  throw new UllageError('option_invalid', `Option ${option} is ${String(value)}; it must be ${limit}.`, { details: { option, limit } });
}

function checkTime(option: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isFinite(value) && value >= 0 && value <= 3_600_000))
    invalid(option, value, 'a number of milliseconds from 0 to 3,600,000');
}

/** Throws UllageError option_invalid, naming the option, for anything that cannot be used. */
export function validateOptions(options: UllageOptions): void {
  if (typeof options !== 'object' || options === null) invalid('(all)', options, 'an object with at least store and api');
  if (typeof options.store?.locate !== 'function') invalid('store', options.store, 'a Store, such as sqliteStore("agent.db")');
  if (!APIS.includes(options.api)) invalid('api', options.api, `one of ${APIS.join(', ')}`);
  checkTime('summaryDeadlineMs', options.summaryDeadlineMs);
  checkTime('backgroundDeadlineMs', options.backgroundDeadlineMs);
  checkTime('leaseWaitMs', options.leaseWaitMs);
  if (options.policy !== undefined) validatePolicy(options.policy);
  checkSummarizers(options.summarizer);
  if (options.models !== undefined && typeof options.models !== 'function') checkModel('models', options.models);
  completeGuardOptions(options.guard);
  for (const name of ['tenant', 'route'] as const) checkName(name, options[name]);
  for (const name of ['beforeCompact', 'newId', 'digest'] as const) checkFunction(name, options[name]);
  checkFunction('clock.now', options.clock, options.clock?.now);
  checkFunction('log.write', options.log, options.log?.write);
  checkFunction('counter.count', options.counter, options.counter?.count);
}

function checkSummarizers(given: unknown): void {
  if (given === undefined) return;
  for (const summarizer of Array.isArray(given) ? given : [given])
    if (typeof summarizer !== 'function') invalid('summarizer', summarizer, 'a function, or an array of functions');
  // Cooling and costs are kept by name: of two with one name, the one that works would rest for the other.
  const ids = summarizersOf(given as UllageOptions['summarizer']).map((summarizer, index) => summarizer.id ?? `summarizer:${index}`);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index || id === 'none' || id === 'facts');
  if (repeated !== undefined) invalid('summarizer.id', repeated, 'a name that no other summarizer has, and not "none" or "facts"');
}

function checkName(option: string, value: unknown): void {
  if (value !== undefined && (typeof value !== 'string' || value === ''))
    invalid(option, JSON.stringify(value), 'a text that is not empty');
}

/** An option that is not given is in order; `value` is the member that must be callable. */
function checkFunction(option: string, given: unknown, value: unknown = given): void {
  if (given !== undefined && typeof value !== 'function') invalid(option, value, 'a function');
}

export function checkModel(option: string, facts: ModelFacts): ModelFacts {
  if (typeof facts !== 'object' || facts === null) invalid(option, facts, 'an object with a window, or a function that answers one');
  if (!(Number.isFinite(facts.window) && facts.window > 0)) invalid(`${option}.window`, facts.window, 'a positive number of tokens');
  const output = facts.maxOutputTokens;
  if (output !== undefined && !(Number.isFinite(output) && output >= 0))
    invalid(`${option}.maxOutputTokens`, output, 'a number of tokens, 0 or more');
  return facts;
}

export function summarizersOf(option: UllageOptions['summarizer']): readonly Summarizer[] {
  if (option === undefined) return [];
  return typeof option === 'function' ? [option] : option;
}

/** Window of a model as told by the caller or the registry; `isGuess` when nobody knows it. */
export function modelFacts(
  options: UllageOptions,
  model: string,
): ModelFacts & { readonly isGuess: boolean; readonly maxInputTokens?: number } {
  const told = typeof options.models === 'function' ? options.models(model) : options.models;
  if (told) return { ...checkModel(`models(${JSON.stringify(model)})`, told), isGuess: false };
  const known = findModel(model);
  if (known) return { ...known, isGuess: false };
  return { window: GUESSED_WINDOW_TOKENS, isGuess: true };
}

export function guardOptions(options: UllageOptions): GuardOptions {
  return completeGuardOptions(options.guard);
}
