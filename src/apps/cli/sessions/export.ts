// `ullage sessions export KEY`.
import { UllageError } from '../../../core/errors.ts';
import { APIS } from '../../../core/transcript/entry.ts';
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { checkOutput, writeOutput } from '../shared/write-output.ts';
import { withSession } from './open-session.ts';

export async function runExport(key: string, flags: SessionsFlags, { terminal }: CommandContext): Promise<void> {
  const format = APIS.find((api) => api === flags.format);
  if (flags.format !== undefined && format === undefined)
    throw new UllageError('option_invalid', `--format ${JSON.stringify(flags.format)}: expected one of ${APIS.join(', ')}.`);
  if (flags.output !== undefined) await checkOutput({ file: flags.output, input: flags.db, isForced: false });
  const text = await withSession(key, flags, ({ session }) => session.export({ format, compacted: flags.compacted === true }));
  if (flags.output !== undefined) await writeOutput(flags.output, `${text}\n`);
  if (flags.json === true) terminal.stdout.write(`${documentOf(key, flags, text)}\n`);
  else if (flags.output === undefined) terminal.stdout.write(`${text}\n`);
}

/** The body goes in byte for byte. */
function documentOf(key: string, { output, compacted = false }: SessionsFlags, text: string): string {
  const document = JSON.stringify({ session: key, compacted, output }, undefined, 2);
  return output === undefined ? `${document.slice(0, -2)},\n  "body": ${text}\n}` : document;
}
