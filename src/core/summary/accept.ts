// Is what a summarizer wrote a summary? Anything else is a failure with a name, and nothing changes.
import { estimateTokens } from '../size/estimator.ts';
import { answerText, fromFirstHeading } from './answer-text.ts';
import { escapeDelimiters } from './frame.ts';
import { groundConstraints, groundData } from './grounding.ts';
import { isOtherLanguage } from './language.ts';
import { withoutTexts } from './previous.ts';
import { redactSecrets } from './redact.ts';
import { splitSections } from './sections.ts';

/** Why a text is no summary. */
export type Rejection =
  | 'empty'
  | 'truncated'
  | 'refusal'
  | 'tool_call'
  | 'too_large'
  | 'no_headings'
  | 'invented_user'
  | 'secret'
  | 'echo'
  | 'language'
  | 'injection';

export interface SummaryCandidate {
  readonly text: string;
  /** 'stop' is complete; anything else is not. */
  readonly finishReason: string;
  /** Tokens of what the summary replaces: it must be smaller. */
  readonly replacedTokens: number;
  /** Most tokens it may have. */
  readonly maxTokens: number;
  /** False when no person spoke in the range: then nothing may be attributed to one. Default true. */
  readonly hasGenuineUser?: boolean;
  /** Everything that stands in user's messages, where it is known: demands must be in it. */
  readonly userText?: string;
  /** What a person wrote: the summary must be in its language. */
  readonly genuineText?: string;
  /** Stand in every request word for word: the summary need not say them. */
  readonly pins?: readonly string[];
  /** What the summarizer was told and given: a repetition of either is no summary. */
  readonly instructions?: string;
  readonly inputText?: string;
  /** The summary it continued: its values may stand in this one. */
  readonly previousSummary?: string;
}

export type Acceptance = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: Rejection };

const FINISH_REJECTIONS: Readonly<Record<string, Rejection>> = {
  tool_calls: 'tool_call',
  tool_use: 'tool_call',
  function_call: 'tool_call',
  refusal: 'refusal',
  content_filter: 'refusal',
  safety: 'refusal',
};

const TOOL_TEXT =
  /^\s*(?:```(?:json|xml)?\s*)?(?:<\/?(?:tool_call|tool_use|function_calls?|invoke|antml)\b|\{\s*"(?:name|tool|function|tool_calls)"\s*:|\[TOOL_CALLS\])/i;
const ANY_HEADING = /^#{1,6}[ \t]/m;
const REFUSAL =
  /^\W{0,3}(?:i(?:['’]m| am) (?:sorry|unable|not able)|sorry|i (?:can(?:no|['’])t|cannot|won['’]t|will not)|as an ai|unfortunately|please provide|lo siento|no puedo|es tut mir leid|ich kann (?:das |dir |ihnen )?(?:leider |nicht)|je suis désolé|désolé|je ne peux pas|извините|к сожалению|я не могу|抱歉|对不起|我无法|我不能)/i;
/** A section of a user, or a sentence that begins with what one said; users of the product that is worked on are no person here. */
const USER_CLAIM =
  /^#{1,6}[ \t]{1,4}(?:the )?user(?:['’]?s)? (?:asks?|goals?|requests?|constraints|preferences|demands|instructions|messages?|wishes|decisions|feedback)\b|(?:^|[.!?:] )[-*>•\d.)"“ \t]{0,8}(?:the )?user (?:asked|wants?|wanted|said|says|requested|requests|prefers|preferred|told|approved|confirmed|demanded)\b/im;
/** An order to whoever reads the summary, at the beginning of a line: a transcript that was obeyed, or repeated. */
const OVERRIDE =
  /^[-*>•\d.)\t "“]{0,8}(?:please |now )?(?:(?:ignore|disregard|forget|override) (?:all|any|everything|the|your|previous|prior|earlier|these|those)\b.{0,80}\b(?:above|instructions?|rules?|prompts?|messages?|before|said)|ignora (?:todas? |todo )?(?:las? |lo )?.{0,40}(?:instrucciones|anterior)|ignoriere? (?:alle|alles)\b.{0,60}(?:anweisungen|oben|bisher)|忽略.{0,12}(?:指令|指示|以上|之前|内容))/gim;
const LIST_SIGNS = /^[-*>•\d.)\t "“]{0,8}/;

/** True when such an order stands in the text that no person gave. */
function givesOrders(text: string, said: string): boolean {
  const known = said.toLowerCase();
  return [...text.matchAll(OVERRIDE)].some(([order]) => !known.includes(order.replace(LIST_SIGNS, '').toLowerCase()));
}

const ECHO_LINE_CHARS = 40;
const ECHO_SHARE = 0.8;
const ECHO_LINES = 4;

/** True when most long lines were copied from the given text. */
function repeats(text: string, source: string | undefined): boolean {
  if (source === undefined) return false;
  const lines = text.split('\n').map((line) => line.trim());
  const long = lines.filter((line) => line.length >= ECHO_LINE_CHARS);
  if (long.length < ECHO_LINES) return source.length > ECHO_LINE_CHARS && source.includes(text) && !ANY_HEADING.test(text);
  const known = new Set(source.split('\n').map((line) => line.trim()));
  return long.filter((line) => known.has(line)).length >= long.length * ECHO_SHARE;
}

function rejectionOf(text: string, candidate: SummaryCandidate): Rejection | undefined {
  const finish = candidate.finishReason.toLowerCase();
  const byFinish = FINISH_REJECTIONS[finish];
  if (byFinish !== undefined) return byFinish;
  if (text === '') return 'empty';
  if (TOOL_TEXT.test(text)) return 'tool_call';
  const sections = splitSections(text).filter(({ name }) => name === 'goal' || name === 'done');
  const hasHeadings = new Set(sections.map(({ name }) => name)).size === 2;
  if (!hasHeadings && REFUSAL.test(text)) return 'refusal';
  if (finish !== 'stop') return 'truncated';
  if (text.includes('<ullage-transcript') || repeats(text, candidate.instructions) || repeats(text, candidate.inputText)) return 'echo';
  if (!hasHeadings) return 'no_headings';
  if (sections.every(({ lines }) => lines.join('').trim() === '')) return 'empty';
  if (candidate.hasGenuineUser === false && USER_CLAIM.test(text)) return 'invented_user';
  if (givesOrders(text, candidate.genuineText ?? '')) return 'injection';
  if (candidate.genuineText !== undefined && isOtherLanguage(text, candidate.genuineText)) return 'language';
  if (redactSecrets(text) !== text) return 'secret';
  const tokens = estimateTokens(text);
  return tokens >= candidate.replacedTokens || tokens > candidate.maxTokens ? 'too_large' : undefined;
}

/**
 * The text to use, with delimiters escaped, headings as they were asked for, and pins, demands that nobody made and values that stood nowhere left
 * out; or why it is no summary.
 */
export function acceptSummary(candidate: SummaryCandidate): Acceptance {
  const { userText, inputText, previousSummary = '', pins = [] } = candidate;
  const text = answerText(candidate.text);
  const reason = rejectionOf(text, candidate);
  if (reason !== undefined) return { ok: false, reason };
  const summary = fromFirstHeading(text);
  const grounded = userText === undefined ? undefined : groundConstraints(summary, [userText, ...pins].join('\n'));
  if (grounded && grounded.invented > grounded.found) return { ok: false, reason: 'invented_user' };
  const own = withoutTexts(grounded?.text ?? summary, pins);
  return { ok: true, text: escapeDelimiters(inputText === undefined ? own : groundData(own, [inputText, previousSummary])) };
}
