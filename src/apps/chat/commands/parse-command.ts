// `/name@bot words` → its name and its words.

export interface ParsedCommand {
  /** In lower case, without the slash. */
  readonly name: string;
  readonly words: string;
}

const COMMAND = /^\/([a-z0-9_]{1,32})(?:@([a-z0-9_]{1,64}))?(?:\s+|$)/i;

/** undefined when the text is no command, or one for another bot. */
export function parseCommand(text: string, botName?: string): ParsedCommand | undefined {
  const match = COMMAND.exec(text);
  if (match === null) return undefined;
  const [whole, name = '', bot] = match;
  if (bot !== undefined && botName !== undefined && bot.toLowerCase() !== botName.toLowerCase()) return undefined;
  return { name: name.toLowerCase(), words: text.slice(whole.length).trim() };
}
