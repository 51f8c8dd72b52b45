// An update of the Bot API as what it means here. Pure: nothing is stored or sent.
import type { Message, Update } from 'grammy/types';
import { parseCommand } from '../commands/parse-command.ts';
import type { Address, FileRef, NewItem } from '../store/rows.ts';
import { attachmentOf } from './attachment.ts';

export interface Access {
  readonly allowedUsers: readonly number[];
  readonly allowedChats: readonly number[];
  readonly maxMessageChars: number;
}

export interface Bot {
  readonly id: number;
  readonly username: string;
}

export type Intake =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'item'; readonly item: NewItem }
  /** Told once to this peer, then ignored. */
  | { readonly kind: 'refuse'; readonly peer: string; readonly item: NewItem }
  /** What a message says from now on; `late` is told when its answer has begun. */
  | { readonly kind: 'edit'; readonly messageId: number; readonly item: NewItem; readonly late: NewItem };

/** What a message may hold besides words; a moving picture comes as a document, too. */
const MEDIA = 'photo animation document video audio voice video_note sticker location contact poll venue dice story paid_media game'.split(
  ' ',
);
/** Speaks for the administrators of a group (https://core.telegram.org/bots/api#message, sender_chat). */
const ANONYMOUS_ADMIN = 1_087_968_824;

export function intakeOf(update: Update, bot: Bot, access: Access): Intake {
  const message = update.message ?? update.edited_message;
  if (message === undefined || isByBot(message)) return { kind: 'ignore' };
  const said = message.text ?? message.caption;
  const media = MEDIA.find((name) => (message as unknown as Record<string, unknown>)[name] !== undefined);
  if (said === undefined && media === undefined) return { kind: 'ignore' };
  const base = { source: sourceOf(bot), updateId: update.update_id, session: sessionOf(message, bot), address: addressOf(message) };
  const note = (text: string): NewItem => ({ ...base, kind: 'note', text });
  if (!isAllowed(message, access)) return { kind: 'refuse', peer: peerOf(message), item: note(refusalText(message)) };
  // A command for another bot of the group is not for this one.
  if (said !== undefined && parseCommand(said) !== undefined && parseCommand(said, bot.username) === undefined) return { kind: 'ignore' };
  const item = itemOf();
  if (update.edited_message === undefined) return { kind: 'item', item };
  // Such as the way of somebody who shares where they are.
  if (said === undefined) return { kind: 'ignore' };
  return { kind: 'edit', messageId: message.message_id, item, late: note(LATE) };

  function itemOf(): NewItem {
    const file = attachmentOf(message!);
    if (said === undefined && file === undefined)
      return note(`I cannot read ${mediaName(media)}. Write to me, or add a caption: that I can read.`);
    if (said !== undefined && said.length > access.maxMessageChars) return note(tooLongText(said.length, access.maxMessageChars));
    if (said !== undefined && parseCommand(said) !== undefined) return { ...base, kind: 'command', text: said };
    const text = wordsOf(message!, { said, file, media });
    return { ...base, kind: 'text', text, ...(file === undefined ? {} : { files: [file] }) };
  }
}

const LATE = 'I had begun to answer the earlier wording. Send the new one as a message of its own, and I will answer that.';

/** The token's number: a bot keeps it when it is renamed. */
export const sourceOf = ({ id }: Pick<Bot, 'id'>): string => `telegram:${id}`;

function isByBot({ from, sender_chat, chat }: Message): boolean {
  const isAdmin = from?.id === ANONYMOUS_ADMIN && sender_chat?.id === chat.id;
  return from === undefined || (from.is_bot && !isAdmin);
}

function sessionOf(message: Message, bot: Bot): string {
  const topic = topicOf(message);
  return `${sourceOf(bot)}:${message.chat.id}${topic === undefined ? '' : `:${topic}`}`;
}

function topicOf({ is_topic_message, message_thread_id }: Message): number | undefined {
  return is_topic_message === true ? message_thread_id : undefined;
}

function addressOf(message: Message): Address {
  const { chat, message_id: messageId } = message;
  const topic = topicOf(message);
  const isShared = topic !== undefined || ('is_forum' in chat && chat.is_forum === true);
  return {
    ...{ chat: chat.id, messageId, isGroup: chat.type !== 'private', isShared },
    ...(topic === undefined ? {} : { topic }),
    // Pictures that were sent together come one by one.
    ...(message.media_group_id === undefined ? {} : { album: message.media_group_id }),
  };
}

function isAllowed({ from, chat }: Message, { allowedUsers, allowedChats }: Access): boolean {
  return allowedChats.includes(chat.id) || (from !== undefined && allowedUsers.includes(from.id));
}

const peerOf = ({ chat, from }: Message): string => (chat.type === 'private' ? `user:${from?.id}` : `chat:${chat.id}`);

function refusalText({ chat, from }: Message): string {
  const who = chat.type === 'private' ? `your id, ${from?.id}, to allowedUsers` : `the id of this chat, ${chat.id}, to allowedChats`;
  return `I am sorry: this bot talks only with people it was set up for. If you should be one of them, ask its operator to add ${who}.`;
}

interface Words {
  readonly said?: string;
  readonly file?: FileRef;
  readonly media?: string;
}

/** In a group the model must know who speaks. */
function wordsOf({ chat, from }: Message, { said = '', file, media }: Words): string {
  const speaker = chat.type === 'private' ? '' : `${from?.first_name ?? 'Someone'}: `;
  const note = media === undefined || file !== undefined ? '' : `\n[With ${mediaName(media)}, which cannot be read here.]`;
  return said === '' ? '' : `${speaker}${said}${note}`;
}

const MEDIA_NAMES: Readonly<Record<string, string>> = { document: 'file of this kind', voice: 'voice message', audio: 'audio file' };

function mediaName(media: string | undefined = 'document'): string {
  const name = MEDIA_NAMES[media] ?? media.replaceAll('_', ' ');
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

function tooLongText(length: number, limit: number): string {
  return `That message is too long: it has ${length} characters, and ${limit} are taken. Send it in parts, or only what matters of it.`;
}
