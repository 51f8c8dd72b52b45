// Packages that are only needed here: imported when they are asked for, with the command that installs what is missing.
import { UllageError } from '../../index.ts';

/** Loads an optional package. Throws option_invalid with what to install. */
export async function loadPackage<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UllageError('option_invalid', `${purpose} needs the package ${name}, which is not installed.`, {
      cause,
      hint: `Run: npm install ${name}`,
    });
  }
}
