// The kinds of facts and how each is recognised. Earlier kinds take their text away from later ones.
// E-mail stands before path because its two halves look like names; everything else is in the order of the specification.
// Every pattern is anchored to the start of a run of its letters, so that a megabyte of one letter is read once.

export const ATOM_KINDS = [
  'url',
  'uuid',
  'email',
  'path',
  'file',
  'flag',
  'hash',
  'version',
  'ticket',
  'identifier',
  'code',
  'number',
  'error',
] as const;

export type AtomKind = (typeof ATOM_KINDS)[number];

export interface AtomPattern {
  readonly kind: AtomKind;
  readonly pattern: RegExp;
  /** The atom in a match; undefined = none, and the text stays for later kinds. */
  readonly atomOf?: (match: string) => string | undefined;
}

const FILE_TYPES =
  'tsx?|jsx?|mjs|cjs|mts|json[lc5]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt|csv|tsv|log|html?|css|scss|vue|svelte|xml|svg|png|jpe?g|gif|pdf|' +
  'py|pyi|ipynb|go|mod|sum|rs|rb|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|sh|bash|zsh|ps1|bat|sql|db|sqlite|proto|graphql|tf|gradle|zip|tar|gz|tgz|whl|exe|dll|so|wasm|pem|key|crt|traj|diff|patch';

const isMixed = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text);

/** A slash between two plain words is no path: and/or, input/output. */
function pathOf(match: string): string | undefined {
  const text = match.replace(/[./\\-]+$/, '');
  const segments = text.split(/[/\\]/).filter((segment) => segment !== '');
  if (!/[A-Za-z]/.test(text) || segments.length === 0 || /^\/(?:\/|[^\w~]*$|\.)/.test(text)) return undefined;
  const isMarked = /^[~./]|^[A-Za-z]:\\/.test(text) || segments.length > 2 || /[._\d-]/.test(segments.at(-1)!);
  return isMarked && (segments.length > 1 || /^[~/]/.test(text)) ? text : undefined;
}

function identifierOf(match: string): string | undefined {
  return /[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Za-z\d]_[A-Za-z\d]/.test(match) ? match : undefined;
}

function codeOf(match: string): string | undefined {
  return isMixed(match) || /^E[A-Z]{4,}$/.test(match) ? match : undefined;
}

function numberOf(match: string): string | undefined {
  const text = match.replace(/[,_]+$/, '');
  const [whole = '', decimals = ''] = text.split('.');
  return whole.replaceAll(/\D/g, '').length >= 4 || decimals.length >= 2 ? text : undefined;
}

export const ATOM_PATTERNS: readonly AtomPattern[] = [
  { kind: 'url', pattern: /https?:\/\/[^\s"'<>`\\)\]}|]+/g, atomOf: (match) => match.replace(/[.,;:!?*/]+$/, '') },
  { kind: 'uuid', pattern: /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/gi },
  { kind: 'email', pattern: /(?<![\w.+-])[\w.+-]+@[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)+/g },
  { kind: 'path', pattern: /(?<![\w.@+~%/\\-])(?:[A-Za-z]:\\[\w.@+~%\\-]+|[\w.@+~%/-]*\/[\w.@+~%/-]*)/g, atomOf: pathOf },
  { kind: 'file', pattern: new RegExp(`(?<![\\w.@+-])[\\w@+-][\\w.@+-]*\\.(?:${FILE_TYPES})(?![\\w-])`, 'g') },
  { kind: 'flag', pattern: /(?<![\w-])--[A-Za-z][\w-]*/g },
  { kind: 'hash', pattern: /(?<![\w-])[0-9a-f]{7,40}(?![\w-])/g, atomOf: (match) => (isMixed(match) ? match : undefined) },
  { kind: 'version', pattern: /(?<![\w.])(?:v?\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]*[0-9A-Za-z])?|v\d+\.\d+)(?!\w)/g },
  { kind: 'ticket', pattern: /(?<![\w-])(?:[A-Z][A-Z\d]{1,9}-\d+(?![\w-])|#\d{4,5}(?!\w))/g },
  { kind: 'identifier', pattern: /(?<![\w$])[A-Za-z_$][\w$]*/g, atomOf: identifierOf },
  { kind: 'code', pattern: /(?<![\w-])[A-Z\d]{5,20}(?![\w-])/g, atomOf: codeOf },
  { kind: 'number', pattern: /(?<![\w.])\d[\d,_]*(?:\.\d+)?(?![\w])/g, atomOf: numberOf },
];

/** An error line is what stands from the error's name to the end of the line. */
export const ERROR_LINE =
  /\b(?:[A-Z][A-Za-z]{0,60}(?:Error|Exception)|[Ee]rror|ERROR|[Ff]atal|FATAL|panic|FAIL(?:ED)?)(?:\[\w{1,20}\])?: {0,4}(?=\S)[^\n]{5,160}/g;
