// The value of --format.
import { UllageError } from '../../../core/errors.ts';
import { FORMATS, type Format } from '../formats/index.ts';

/** The format of that name; undefined without one. Throws option_invalid. */
export function parseFormat(text: string | undefined): Format | undefined {
  if (text === undefined) return undefined;
  const format = FORMATS.find((name) => name === text);
  if (format === undefined)
    throw new UllageError('option_invalid', `--format ${JSON.stringify(text)}: expected one of ${FORMATS.join(', ')}.`);
  return format;
}
