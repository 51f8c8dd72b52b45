import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from './redact.ts';

// Made-up secrets, put together from pieces so that no scanner takes this file for a leak.
const alnum = 'Ab3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7f';
const join = (...pieces: string[]) => pieces.join('');
const SHAPED: Readonly<Record<string, string>> = {
  anthropic: join('sk', '-ant-', 'api03-', alnum),
  openai: join('sk', '-proj-', alnum),
  router: join('sk', '-or-v1-', alnum),
  stripe: join('sk', '_live_', alnum.slice(0, 24)),
  github: join('gh', 'p_', alnum.slice(0, 36)),
  githubFine: join('github', '_pat_', '11ABCDEFG0', '_', alnum),
  slack: join('xox', 'b-', '123456789012-', alnum.slice(0, 24)),
  aws: join('AK', 'IA', 'IOSFODNN7EXAMPLQ'),
  awsSession: join('AS', 'IA', 'IOSFODNN7EXAMPLQ'),
  google: join('AI', 'za', alnum.slice(0, 35)),
  gitlab: join('gl', 'pat-', alnum.slice(0, 20)),
  npm: join('np', 'm_', alnum.slice(0, 36)),
  telegram: join('110201543', ':', 'AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1'),
  jwt: join('ey', 'JhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'),
  huggingface: join('hf', '_', alnum.slice(0, 34)),
  sendgrid: join('SG', '.', alnum.slice(0, 22), '.', alnum),
};
const PRIVATE_KEY = join('-----BEGIN RSA ', 'PRIVATE KEY-----\n', `${alnum}\n`.repeat(8), '-----END RSA ', 'PRIVATE KEY-----');
const VALUE = 'hunter2-Zx81!q';
const NAMED: readonly string[] = [
  `password=${VALUE}`,
  `DB_PASSWORD=${VALUE}`,
  `password: ${VALUE}`,
  `token: ${VALUE}`,
  `"apiKey": "${VALUE}"`,
  `{\\"api_key\\":\\"${VALUE}\\"}`,
  `const clientSecret = '${VALUE}';`,
  `os.environ["SECRET_KEY"] = "${VALUE}"`,
  `password: str = "${VALUE}"`,
  `login --password ${VALUE} --verbose`,
  `--api-key=${VALUE}`,
  `my password is ${VALUE} by the way`,
  `contraseña: ${VALUE}`,
  `Passwort ist ${VALUE}`,
  `пароль: ${VALUE}`,
  `密码是${VALUE}`,
  `https://example.org/cb?access_token=${VALUE}&state=1`,
  `postgres://admin:${VALUE}@db.example.org:5432/app`,
  `redis://:${VALUE}@cache`,
  `Authorization: Bearer ${VALUE}`,
  `-H "Authorization: Basic ${VALUE}"`,
  `x-api-key: ${VALUE}`,
  `Cookie: session=${VALUE}; theme=dark`,
  `curl -u bob:${VALUE} https://example.org`,
  `CREATE USER app IDENTIFIED BY '${VALUE}'`,
];
const HARMLESS: readonly string[] = [
  'commit 3f2a9c1d4e5f60718293a4b5c6d7e8f901234567 and 9fceb02',
  'request 550e8400-e29b-41d4-a716-446655440000 took 41 ms',
  '/home/user/project/src/token/index.ts and ./secrets/readme.md',
  'node v20.12.1, typescript@6.0.3, sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'password: string; token?: Token; apiKey: process.env.API_KEY',
  'max_tokens: 4096, "input_tokens": 180000, tokens = 12',
  'const token = tokens[index]; if (token === undefined) return;',
  `GITHUB_TOKEN=\${{ secrets.GITHUB_TOKEN }} PASSWORD=$PASSWORD SECRET=<your-secret>`,
  'secret=/run/secrets/pg_password',
  'the password is required and basic authentication is not used',
  'docker run -u 1000:1000 image',
  'scikit-learn, sk-learn-contrib-lightning-extra, task-force-of-many-many-words',
  'password=**** token: [redacted:token]',
  'GITHUB_TOKEN=ghp_xxx API_KEY=sk-... npm_token: npm_xxxxxxxx',
];

describe('redactSecrets', () => {
  it.each(Object.entries(SHAPED))('F34: no part of a secret of known shape stays: %s', (_name, secret) => {
    for (const text of [secret, `before ${secret} after`, `"key":"${secret}",`, `(${secret})`, `x=${secret}`, `a\n${secret}\nb`]) {
      const redacted = redactSecrets(text);
      expect(redacted).toMatch(/\[redacted:[a-z-]+\]/);
      for (let at = 12; at + 8 <= secret.length; at += 4) expect(redacted).not.toContain(secret.slice(at, at + 8));
    }
  });

  it.each(NAMED)('F34: the value behind a name goes, the text around it stays: %s', (text) => {
    const redacted = redactSecrets(text);
    const [before = '', after = ''] = text.split(VALUE);
    expect(redacted).toMatch(/\[redacted:[a-z-]+\]/);
    expect(redacted).not.toContain('hunter2');
    expect(redacted).not.toContain('Zx81');
    expect(redacted.startsWith(before.replace(/(session=)$/, ''))).toBe(true);
    if (!text.startsWith('Cookie')) expect(redacted.endsWith(after)).toBe(true);
  });

  it.each(HARMLESS)('leaves what is no secret: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('F34: private key blocks go as a whole, also escaped in JSON and when they are cut off', () => {
    expect(redactSecrets(`key:\n${PRIVATE_KEY}\nend`)).toBe('key:\n[redacted:private-key]\nend');
    expect(redactSecrets(JSON.stringify({ pem: PRIVATE_KEY }))).toBe('{"pem":"[redacted:private-key]"}');
    expect(redactSecrets(PRIVATE_KEY.slice(0, 180))).toBe('[redacted:private-key]');
    expect(redactSecrets(`${PRIVATE_KEY}\n${PRIVATE_KEY}`)).toBe('[redacted:private-key]\n[redacted:private-key]');
  });

  it('F34: webhook addresses and bot paths', () => {
    expect(redactSecrets(`https://hooks.slack.com/services/${join('T0000', '/B0000/', alnum)}`)).toBe(
      'https://hooks.slack.com/services/[redacted:webhook]',
    );
    expect(redactSecrets(`https://api.telegram.org/bot${SHAPED.telegram}/getMe`)).toBe(
      'https://api.telegram.org/bot[redacted:bot-token]/getMe',
    );
  });

  it('F34: JSON stays JSON, and no character of the value stays, however deep it is quoted', () => {
    const value = fc
      .string({ unit: fc.constantFrom('Q', '7', '"', "'", '\\', ' ', 'ü', '\n', ',', '}'), minLength: 1, maxLength: 20 })
      .map((middle) => `q7${middle}7Q`);
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 2 }), (password, depth) => {
        let json = JSON.stringify({ user: 'bob', password });
        for (let level = 0; level < depth; level += 1) json = JSON.stringify(json);
        let read: unknown = redactSecrets(json);
        for (let level = 0; level <= depth; level += 1) read = JSON.parse(read as string);
        expect(read).toEqual({ user: 'bob', password: '[redacted:password]' });
      }),
      { seed: 4, numRuns: 1_000 },
    );
  });

  it('is idempotent on any mixture', () => {
    const pieces = [
      ...Object.values(SHAPED),
      ...NAMED,
      ...HARMLESS,
      PRIVATE_KEY,
      'password',
      'token',
      '=',
      ': ',
      '"',
      "'",
      '\\',
      ']',
      '[redacted:',
      '://',
      '@',
      '\n',
      ' is ',
      'eyJ',
      '--',
      '-u a:b',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 }),
        (parts) => {
          const once = redactSecrets(parts.join(''));
          expect(redactSecrets(once)).toBe(once);
        },
      ),
      { seed: 3, numRuns: 1_000 },
    );
  });

  it.each([
    'a',
    'eyJ',
    'pwd=',
    'pwd="',
    'pwd=a(',
    '://a:',
    'token',
    'token: ',
    'sk-',
    'authorization: ',
    '\\',
    '\ud800',
    '-----BEGIN PRIVATE KEY-----',
    ' -u a',
    '<',
  ])('reads a megabyte of %j in one pass', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(redactSecrets(text).length).toBeGreaterThan(0);
  });
});
