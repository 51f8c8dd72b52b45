// One HTTP request to a model API, sent through a session: prepared, recovered and observed; the provider's own bytes come back.
import { UllageError } from '../../core/errors.ts';
import type { CompactionOutcome } from '../../core/plan/outcome.ts';
import { membersOf, type Prepared } from '../../engine/prepared.ts';
import { scanMembers } from '../../wire/json/members.ts';
import { skipSpace } from '../../wire/json/scan.ts';
import { isJson } from '../../wire/rules.ts';
import { AnswerStream, type ClosableResponse, HttpFailure } from './answers.ts';
import { bodyText } from './body-text.ts';
import type { Exchange, ExchangeReport, ExchangeResult, UpstreamResponse } from './exchange.ts';
import { streamedBytes } from './streamed-bytes.ts';
import { type Answered, Upstream } from './upstream.ts';

/**
 * Sends a request and gives back what the caller is to get. Throws what the network throws, unchanged, and the signal's reason. Whatever the
 * upstream answers, errors too, is a result.
 */
export async function runExchange(exchange: Exchange): Promise<ExchangeResult> {
  const text = exchange.text ?? bodyText(exchange.body);
  if (text === undefined) return sendUntouched(ofSession(exchange), exchange.body.length === 0 ? 'empty' : 'not_utf8');
  return exchange.kind === 'generate' ? generate(exchange, text) : countTokens(exchange, text);
}

async function generate(exchange: Exchange, text: string): Promise<ExchangeResult> {
  const { session, signal, body } = exchange;
  let isAnswered = false;
  // An error later in the answer is the caller's: nothing of ours is waited for any more.
  const onPhase: Exchange['onPhase'] = (phase) => !isAnswered && exchange.onPhase?.(phase);
  const upstream = new Upstream({ ...exchange, onPhase });
  let last: Prepared | undefined;
  let outcome: CompactionOutcome | undefined;
  const report = (): ExchangeReport => reportOf(exchange, { calls: upstream.calls, prepared: last, outcome });
  onPhase('ours');
  try {
    const call = async (sent: string, { prepared }: { readonly prepared: Prepared }) => {
      last = prepared;
      outcome = prepared.outcome ?? outcome;
      const members = membersOf(prepared) ?? scanMembers(sent, skipSpace(sent, 0));
      return upstream.ask({ body: sent === text ? body : new TextEncoder().encode(sent), text: sent, members });
    };
    const answer = await session.send<string, Answered>(text, call, { signal });
    isAnswered = true;
    return { response: responseOf(answer), report: report() };
  } catch (error) {
    const failure = failureIn(error);
    if (failure) return { response: failure.response, report: report() };
    signal.throwIfAborted();
    if (upstream.calls > 0) throw networkErrorIn(error);
    return sendUntouched(ofSession(exchange), reasonOf(exchange, error));
  }
}

async function countTokens(exchange: Exchange, text: string): Promise<ExchangeResult> {
  const { session, body, signal } = exchange;
  const rendered = await session.render(text).catch((error: unknown) => ({ reason: reasonOf(exchange, error) }));
  signal.throwIfAborted();
  if ('reason' in rendered) return sendUntouched(ofSession(exchange), rendered.reason);
  const upstream = new Upstream(exchange);
  const response = await upstream.askUnread(rendered.text === text ? body : new TextEncoder().encode(rendered.text));
  const { context, leftAlone } = rendered;
  return { response, report: reportOf(exchange, { calls: 1, prepared: { context, leftAlone } }) };
}

/** An exchange for which there is no session: what it is left alone for, the caller knows. */
export type UntouchedExchange = Omit<Exchange, 'session'> & { readonly sessionKey: string };

/**
 * Sends the bytes as they came and gives the answer back unread: for what is no request of the API (the provider says what is wrong with it),
 * and for a store that cannot be opened.
 */
export async function sendUntouched(exchange: UntouchedExchange, leftAlone: string): Promise<ExchangeResult> {
  const upstream = new Upstream(exchange);
  const response = await upstream.askUnread(exchange.body);
  return { response, report: { sessionKey: exchange.sessionKey, leftAlone, calls: upstream.calls } };
}

function ofSession(exchange: Exchange): UntouchedExchange {
  return { ...exchange, sessionKey: exchange.session.key };
}

function responseOf(answer: Answered): UpstreamResponse {
  const { response } = answer;
  return answer instanceof AnswerStream ? streamed(answer) : response;
}

function streamed(answer: AnswerStream): UpstreamResponse {
  const { status, headers, body }: ClosableResponse = answer.response;
  return { status, headers, body: streamedBytes(answer, body) };
}

interface Told {
  readonly calls: number;
  readonly prepared?: Pick<Prepared, 'context' | 'leftAlone'>;
  readonly outcome?: CompactionOutcome;
}

function reportOf({ session }: Exchange, { calls, prepared, outcome }: Told): ExchangeReport {
  const leftAlone = prepared?.leftAlone;
  return {
    sessionKey: session.key,
    ...(prepared === undefined ? {} : { contextTokens: prepared.context.tokens }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(leftAlone === undefined ? {} : { leftAlone }),
    calls,
  };
}

/** The provider's answer inside an error that tells more than it. */
function failureIn(error: unknown): HttpFailure | undefined {
  const inner = UllageError.is(error) ? error.cause : error;
  return inner instanceof HttpFailure ? inner : undefined;
}

function networkErrorIn(error: unknown): unknown {
  return UllageError.is(error) && error.cause !== undefined ? error.cause : error;
}

/** Nothing was asked of the upstream yet: the fault is the body's, or ours. */
function reasonOf({ body, log }: Exchange, error: unknown): string {
  if (UllageError.is(error)) return error.code === 'transcript_invalid' ? invalidReason(body) : error.code;
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log?.write('error', 'A request could not be prepared; it goes to the provider as it came.', { error: fault });
  return 'internal';
}

/** Of a longer body it is not worth the time: deep nesting makes it long. */
const PARSED_LIMIT_BYTES = 64 * 1024;

function invalidReason(body: Uint8Array): string {
  if (body.length > PARSED_LIMIT_BYTES) return 'not_this_api';
  return isJson(bodyText(body) ?? '') ? 'not_this_api' : 'not_json';
}
