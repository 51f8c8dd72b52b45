import { describe, expect, it } from 'vitest';
import { guessLanguage, isOtherLanguage } from './language.ts';

const TEXTS: Readonly<Record<string, string>> = {
  English: 'Please look at the parser and tell me what is wrong with it, but do not change the tests that were there before.',
  Spanish: 'Mira el analizador y dime qué es lo que falla, pero no cambies las pruebas que ya están en el repositorio.',
  German: 'Sieh dir den Parser an und sag mir, was nicht stimmt, aber ändere die Tests nicht, die es schon gibt und die laufen.',
  French: 'Regarde le parseur et dis-moi ce qui ne va pas, mais ne change pas les tests qui sont dans le dépôt.',
  Chinese: '请看一下解析器，告诉我哪里有问题，但是不要修改已经存在的测试。',
  Japanese: 'パーサーを見て、何が間違っているか教えてください。既存のテストは変更しないでください。',
  Korean: '파서를 살펴보고 무엇이 잘못되었는지 알려 주세요. 기존 테스트는 바꾸지 마세요.',
};

const CODE = '```ts\nexport function parse(input: string): Node { return new Parser(input).run(); }\n```\n`src/parser/index.ts`';

describe('guessLanguage', () => {
  it.each(Object.entries(TEXTS))('F16: knows %s, also between code', (language, text) => {
    expect(guessLanguage(text).language).toBe(language);
    expect(guessLanguage(`${CODE}\n${text}\n${CODE}`).language).toBe(language);
  });

  it.each(['', 'ok', 'npm run build', 'fix src/a.ts:12', '1234 5678'])('says nothing certain of %j', (text) => {
    expect(guessLanguage(text).language).toBeUndefined();
  });
});

describe('isOtherLanguage', () => {
  const summary = (text: string) => `## Goal\n${text} ${text}\n## Done\n1. ${text}\n## Files\n- src/parser/index.ts: the parser`;

  it.each(Object.keys(TEXTS))('F16: a summary in %s is in its own language, and in no other', (language) => {
    for (const [other, text] of Object.entries(TEXTS)) {
      expect([other, isOtherLanguage(summary(TEXTS[language]!), text)]).toEqual([other, other !== language]);
    }
  });

  it('F16: quotations and names in Latin letters do not make a Chinese summary English', () => {
    const mixed = `${TEXTS.Chinese} Error: "Cannot find module './parser' or its corresponding type declarations" in createParser and readTokens`;
    expect(isOtherLanguage(summary(mixed), TEXTS.Chinese!)).toBe(false);
  });

  it('F16: where the user’s language is not certain, any is accepted', () => {
    expect(isOtherLanguage(summary(TEXTS.German!), 'npm run build')).toBe(false);
  });

  it('F16: where a person writes one language and pastes another, a summary in either is accepted', () => {
    const log = TEXTS.English!.repeat(3);
    for (const user of [`请修复这个错误。\n${log}`, `${log}\nПочини сборку, пожалуйста.`, `${TEXTS.Chinese!.repeat(3)}\n${log}`]) {
      expect(guessLanguage(user).language).toBeUndefined();
      for (const text of [TEXTS.English!, TEXTS.Chinese!]) expect(isOtherLanguage(summary(text), user)).toBe(false);
    }
    expect(guessLanguage(`${TEXTS.Chinese} Error: Cannot find module or its type declarations`).language).toBe('Chinese');
  });

  it.each([')', '(', ':', 'a', 'a ', '/', '`', '字', '\ud83d', '# '])('reads a megabyte of %j', (piece) => {
    const text = `${piece.repeat(Math.ceil(1_000_000 / piece.length))}x`;
    expect(typeof isOtherLanguage(text, text)).toBe('boolean');
  });
});
