// What a person really said: user messages without tool results, text that clients inject, and our own summaries.
import { withoutFramedSummaries } from '../summary/frame.ts';
import type { Entry, Message } from './entry.ts';

/** Tags that clients put around text of their own inside user messages. */
const CLIENT_TAGS: ReadonlySet<string> = new Set([
  'system-reminder',
  'system_reminder',
  'environment_context',
  'environment_details',
  'user_instructions',
  'permissions',
  'skills_instructions',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'command-name',
  'command-message',
  'command-args',
  'command-contents',
  'bash-stdout',
  'bash-stderr',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'task-notification',
  'turn_aborted',
  'subagent_notification',
]);

const OPENING_TAG = /^<([a-z][a-z_-]{0,40})[^<>]{0,200}>/;
const INTERRUPTION = /^\[Request interrupted by user[^\]\n]{0,40}\]$/;
const LONGEST_TAG = 260;

/** The text without the blocks a client wrapped around it, at its beginning and between such blocks. */
export function withoutClientBlocks(text: string): string {
  const unclosed = new Set<string>();
  const kept: string[] = [];
  let start = 0;
  let open = text.indexOf('<');
  while (open >= 0) {
    const end = endOfClientBlock(text, open, unclosed);
    if (end !== undefined) {
      kept.push(text.slice(start, open));
      start = end;
    }
    open = text.indexOf('<', end ?? open + 1);
  }
  return kept.length === 0 ? text : [...kept, text.slice(start)].join('');
}

/** `unclosed` remembers tags that are closed nowhere behind, so that a text full of them is still read once. */
function endOfClientBlock(text: string, open: number, unclosed: Set<string>): number | undefined {
  const tag = OPENING_TAG.exec(text.slice(open, open + LONGEST_TAG));
  const name = tag?.[1];
  if (tag === null || name === undefined || !CLIENT_TAGS.has(name) || unclosed.has(name)) return undefined;
  const closing = `</${name}>`;
  const close = text.indexOf(closing, open + tag[0].length);
  if (close < 0) unclosed.add(name);
  return close < 0 ? undefined : close + closing.length;
}

/** What the user wrote in one text: no client blocks, no summary of ours; '' when nothing is left. */
export function genuineText(text: string): string {
  const rest = withoutClientBlocks(withoutFramedSummaries(text)).trim();
  return INTERRUPTION.test(rest) ? '' : rest;
}

/** True for a message in which a person says or shows something. */
export function isGenuineUserMessage(message: Message): boolean {
  if (message.role !== 'user') return false;
  return message.parts.some((part) => part.kind === 'media' || (part.kind === 'text' && genuineText(part.text) !== ''));
}

/** {@link isGenuineUserMessage} for an entry. */
export function isGenuineUser(entry: Entry): boolean {
  return isGenuineUserMessage(entry.message);
}
