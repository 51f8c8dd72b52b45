// Type-checks every ```ts block of README.md, docs/ and of the doc comments in src/ against the sources.
// A snippet is written at its own line number, so that the compiler's places are those of the document.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSnippets } from './doc-snippets.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'tmp/docs-check');

function listFiles(start: string, extension: string): string[] {
  if (statSync(start, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension) && !name.endsWith(`.test${extension}`))
    .map((name) => path.join(start, name))
    .sort();
}

function writeProject(documents: readonly string[]): Map<string, string> {
  const origins = new Map<string, string>();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const document of documents) {
    for (const snippet of findSnippets(readFileSync(document, 'utf8'))) {
      const name = `${path.relative(root, document).replaceAll(/[^\w]+/g, '_')}_${snippet.line}.ts`;
      origins.set(name, path.relative(root, document));
      writeFileSync(path.join(folder, name), `${'\n'.repeat(snippet.line - 1)}${snippet.code}\nexport {};\n`);
    }
  }
  const paths = {
    ullage: ['../../src/index.ts'],
    'ullage/testkit': ['../../src/testkit/index.ts'],
    'ullage/*': ['../../src/adapters/*/index.ts'],
  };
  const compilerOptions = { paths, noUnusedLocals: false, noUnusedParameters: false };
  const include = ['./*.ts', '../../docs/example-names.d.ts'];
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include }));
  return origins;
}

const documents = [path.join(root, 'README.md'), ...listFiles(path.join(root, 'docs'), '.md'), ...listFiles(path.join(root, 'src'), '.ts')];
const origins = writeProject(documents.filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined));
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8', cwd: folder });
process.stdout.write(stdout.replaceAll(/^([\w]+\.ts)/gm, (name) => origins.get(name) ?? name));
console.log(status === 0 ? `${origins.size} examples type-check.` : `Examples of the documents do not type-check.`);
process.exit(status ?? 1);
