// The version of the package, from the package.json that is shipped beside dist/ (and stands beside src/).
import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
