// Writing a result to a file: whole or not at all, never over the input by accident.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UllageError } from '../../../core/errors.ts';

export interface OutputFile {
  /** As the user wrote it. */
  readonly file: string;
  /** The file that was read, or `-`. */
  readonly input: string;
  /** The input may be replaced. */
  readonly isForced: boolean;
}

/** Checks before any work is done. Throws option_invalid for a folder, a missing folder, or the input itself. */
export async function checkOutput({ file, input, isForced }: OutputFile): Promise<void> {
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isDirectory()) throw refuse(file, 'it is a folder', 'Name a file.');
  const folder = await stat(path.dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory()) throw refuse(file, 'its folder does not exist', 'Create the folder, or name another one.');
  if (isForced || existing === undefined || input === '-') return;
  const read = await stat(input).catch(() => undefined);
  if (read?.ino === existing.ino && read.dev === existing.dev)
    throw refuse(file, 'it is the input', 'Name another file, or pass --force to replace the input.');
}

function refuse(file: string, why: string, hint: string): UllageError {
  return new UllageError('option_invalid', `--output ${file}: ${why}.`, { hint });
}

/** Writes beside the file, then renames: a reader sees the old file or the new one. Devices and pipes are written directly. */
export async function writeOutput(file: string, text: string): Promise<void> {
  const existing = await stat(file).catch(() => undefined);
  try {
    if (existing !== undefined && !existing.isFile()) await writeFile(file, text);
    else await replaceFile(existing === undefined ? file : await realpath(file), text, existing?.mode);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new UllageError('output_failed', `${file} cannot be written: ${code ?? message}.`, { cause });
  }
}

async function replaceFile(file: string, text: string, mode: number | undefined): Promise<void> {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID().slice(0, 8)}.tmp`);
  let handle: FileHandle | undefined;
  try {
    handle = await open(temporary, 'wx', mode === undefined ? undefined : mode & 0o777);
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    handle = undefined;
    await rename(temporary, file);
  } catch (error) {
    await handle?.close();
    await rm(temporary, { force: true });
    throw error;
  }
}
