import { expect, test } from 'vitest';
import { findSnippets } from './doc-snippets.ts';

test('a block of a Markdown page is found with the line its code begins at', () => {
  const page = ['# Title', '', '```ts', 'const a = 1;', 'a;', '```', '', '```sh', 'npm ci', '```'].join('\n');
  expect(findSnippets(page)).toEqual([{ line: 4, code: 'const a = 1;\na;' }]);
});

test('a block of a doc comment is found without its stars', () => {
  const source = ['/**', ' * Adds.', ' * @example', ' * ```ts', ' * add(1,', ' *   2);', ' * ```', ' */'].join('\n');
  expect(findSnippets(source)).toEqual([{ line: 5, code: 'add(1,\n  2);' }]);
});

test('a block that opts out, and one that never closes, are left out', () => {
  expect(findSnippets('```ts no-check\nnot typescript\n```\n```ts\nopen')).toEqual([]);
});

test('an indented block inside a list is found', () => {
  expect(findSnippets('- item\n  ```typescript\n  const b = 2;\n  ```')).toEqual([{ line: 3, code: '  const b = 2;' }]);
});
