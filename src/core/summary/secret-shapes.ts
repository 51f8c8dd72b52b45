// Secrets that are known by their own shape, whatever stands before them. Data only; every pattern is safe on hostile text:
// what may repeat without a bound is never followed by something that must match, or stops at a character that cannot repeat.

/** What kind of secret a pattern finds, and the pattern's source. */
export interface SecretShape {
  readonly kind: string;
  readonly source: string;
}

const WORD = '[A-Za-z0-9_-]';

/** Tried in this order at every place that no letter or digit precedes. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { kind: 'anthropic-key', source: `sk-ant-${WORD}{8,}` },
  { kind: 'api-key', source: `sk-${WORD}{20,}` },
  { kind: 'stripe-key', source: '[srp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}' },
  { kind: 'github-token', source: 'gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}' },
  { kind: 'gitlab-token', source: `gl(?:pat|dt|ptt|rt|cbt|agent|soat|ft|imt|oas)-${WORD}{16,}` },
  { kind: 'slack-token', source: 'xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}' },
  { kind: 'aws-key', source: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}' },
  { kind: 'google-key', source: `AIza${WORD}{30,}|GOCSPX-${WORD}{20,}|ya29\\.${WORD}{20,}` },
  { kind: 'npm-token', source: 'npm_[A-Za-z0-9]{30,}' },
  { kind: 'pypi-token', source: `pypi-${WORD}{40,}` },
  { kind: 'huggingface-token', source: 'hf_[A-Za-z0-9]{24,}' },
  { kind: 'sendgrid-key', source: `SG\\.${WORD}{16,}\\.${WORD}{16,}` },
  { kind: 'vault-token', source: `hv[sb]\\.${WORD}{20,}` },
  { kind: 'age-key', source: 'AGE-SECRET-KEY-1[A-Z0-9]{20,}' },
  { kind: 'api-key', source: 'gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{24,}|tvly-[A-Za-z0-9-]{20,}' },
  { kind: 'api-key', source: 'lin_api_[A-Za-z0-9]{20,}|ntn_[A-Za-z0-9]{24,}|secret_[A-Za-z0-9]{40,}|NRAK-[A-Z0-9]{20,}|key-[0-9a-f]{32}' },
  {
    kind: 'api-key',
    source: `dckr_pat_${WORD}{16,}|do[opr]_v1_[0-9a-f]{32,}|shp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,}|sq0[a-z]{3}-${WORD}{20,}`,
  },
  {
    kind: 'api-key',
    source: `gl(?:sa|c)_${WORD}{20,}|dapi[0-9a-f]{32}|pscale_(?:tkn|pw)_${WORD}{20,}|sbp_[0-9a-f]{32,}|ATATT3${WORD}{20,}`,
  },
];

/** A JSON web token: three parts or (encrypted) five. Begins only where no letter of its alphabet precedes. */
export const JWT = new RegExp(`(?<!${WORD})eyJ${WORD}{8,}\\.${WORD}{8,}(?:\\.${WORD}*){0,3}`, 'g');

/** The token of a Telegram bot, also inside `/bot<token>/`. */
export const BOT_TOKEN = new RegExp(`(?<!\\d)\\d{8,10}:${WORD}{35}(?!${WORD})`, 'g');

/** Incoming webhooks: who knows the address may post. */
export const WEBHOOK = /(hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/)[A-Za-z0-9_/-]{16,}/g;

/** User and password in front of a host. */
export const URL_CREDENTIALS = /(:\/\/)([^\s/:@[\]"'<>`]{0,128}):([^\s"'<>`/]{1,512})@(?=[^\s@])/g;

/** A long token alone in front of a host. */
export const URL_TOKEN = /(:\/\/)[A-Za-z0-9_-]{20,512}@(?=[^\s@])/g;

/** Signatures and keys in the query of an address. */
export const URL_SIGNATURE = /([?&](?:sig|key|auth|code|x-amz-signature|x-amz-credential|x-amz-security-token)=)[^&\s"'<>`\\[]{12,}/gi;

const SHAPES = new RegExp(`(?<![A-Za-z0-9])(?:${SECRET_SHAPES.map(({ source }) => `(${source})`).join('|')})`, 'g');

/** Lower-case words joined by hyphens are a name, not a key. */
const HYPHENATED_WORDS = /^sk(?:-[a-z]{1,14}){2,}$/;

/** Replaces every secret of {@link SECRET_SHAPES}. */
export function replaceShapes(text: string, mark: (kind: string) => string): string {
  return text.replace(SHAPES, (found: string, ...groups: unknown[]) => {
    const index = groups.findIndex((group) => group !== undefined);
    return HYPHENATED_WORDS.test(found) ? found : mark(SECRET_SHAPES[index]!.kind);
  });
}
