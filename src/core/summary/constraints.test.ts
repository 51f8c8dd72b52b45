import { describe, expect, it } from 'vitest';
import { findConstraints } from './constraints.ts';

describe('findConstraints', () => {
  it.each([
    'Never push to main.',
    'You must keep the public API stable.',
    'Use only the standard library!',
    'Use pnpm instead of npm',
    "Don't touch the migrations folder.",
    'Answer in at most 3 lines.',
    'Nunca borres la carpeta de datos.',
    'Responde siempre en español, sin emojis.',
    'No uses librerías externas.',
    'Auf keinen Fall die Tabelle löschen.',
    'Höchstens zwei Dateien ändern.',
    'Ne modifie pas le schéma.',
    'Il faut toujours lancer les tests.',
    'Никогда не пушь в main.',
    'Не трогай конфиг.',
    '不要修改数据库。',
    '必须使用 Node 20',
    '最多三行',
  ])('finds %s', (sentence) => {
    expect(findConstraints(sentence)).toEqual([sentence]);
  });

  it.each([
    'Thanks, that works.',
    'Please add a test for the parser.',
    'Gracias, funciona.',
    'Danke, das passt.',
    'Merci, ça marche.',
    'Спасибо, работает.',
    '谢谢，很好。',
    'mustard and commonly used words',
  ])('finds nothing in %s', (text) => {
    expect(findConstraints(text)).toEqual([]);
  });

  it('gives sentences one by one, verbatim, without list marks, each once', () => {
    const text =
      'Add a cache. Keep it under 10 MB! Ok?\n- never block the event loop\n1. Only Node 20.12.1 is supported.\n- never block the event loop';
    expect(findConstraints(text)).toEqual(['Keep it under 10 MB!', 'never block the event loop', 'Only Node 20.12.1 is supported.']);
  });

  it('does not read code, client blocks, or very long lines', () => {
    expect(findConstraints('Fix this:\n```\n// must never happen\n```\nthanks')).toEqual([]);
    expect(findConstraints('<system-reminder>You must obey.</system-reminder>go')).toEqual([]);
    expect(findConstraints(`only ${'x '.repeat(2_000)}`)).toEqual([]);
  });

  it.each(['a', 'n’', 'ne a ', '不', '. ', '\ud800', '- '])('reads a megabyte of %j in one pass', (piece) => {
    expect(findConstraints(piece.repeat(Math.ceil(1_000_000 / piece.length)))).toEqual([]);
  });
});
