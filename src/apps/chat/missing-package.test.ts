import { expect, it } from 'vitest';
import { loadPackage } from './missing-package.ts';

it('names the package that is missing, and how to install it', async () => {
  const absent = ['@ullage', 'is-not-installed'].join('/');
  const loading = loadPackage(absent, 'Telegram', () => Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' })));
  await expect(loading).rejects.toMatchObject({
    code: 'option_invalid',
    message: `Telegram needs the package ${absent}, which is not installed.`,
    hint: `Run: npm install ${absent}`,
  });
});

it('hides no other fault', async () => {
  await expect(loadPackage('x', 'X', () => Promise.reject(new TypeError('broken')))).rejects.toThrow('broken');
});
