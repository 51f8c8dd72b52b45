// Facts in a text: names, addresses, numbers and error lines that an agent must know exactly. The engine does not know these patterns.
import { ATOM_PATTERNS, type AtomKind, ERROR_LINE } from './atom-patterns.ts';

const LEAST_CHARS = 5;
const MOST_CHARS = 200;
/** Longer runs are data. They are not even looked at: trimming them would not be linear. */
const MOST_MATCHED_CHARS = 2 * MOST_CHARS;
const itself = (match: string): string => match;

/** Names of the protocol, not of anybody's work. */
const PROTOCOL: ReadonlySet<string> = new Set([
  ...[
    'file_path',
    'old_string',
    'new_string',
    'old_str',
    'new_str',
    'replace_all',
    'insert_line',
    'view_range',
    'output_mode',
    'head_limit',
  ],
  ...['tool_use_id', 'tool_call_id', 'tool_use', 'tool_result', 'tool_call', 'tool_calls', 'function_call', 'function_calls', 'is_error'],
  ...['run_in_background', 'subagent_type', 'str_replace', 'str_replace_editor', 'exit_code', 'todo_list', 'activeForm', 'in_progress'],
  ...[
    'cache_control',
    'stop_reason',
    'end_turn',
    'allowed_domains',
    'multiSelect',
    'num_results',
    'max_tokens',
    'UTF-8',
    'SHA-1',
    'SHA-256',
  ],
]);

/** The atoms of a text, each once, with its kind. Linear. */
export function extractAtoms(text: string): ReadonlyMap<string, AtomKind> {
  const atoms = new Map<string, AtomKind>();
  const add = (atom: string | undefined, kind: AtomKind): boolean => {
    if (atom === undefined || atom.length < LEAST_CHARS || atom.length > MOST_CHARS || PROTOCOL.has(atom)) return false;
    if (!atoms.has(atom)) atoms.set(atom, kind);
    return true;
  };
  let rest = text;
  for (const { kind, pattern, atomOf = itself } of ATOM_PATTERNS) {
    rest = rest.replace(pattern, (match: string) => {
      const isAdded = match.length <= MOST_MATCHED_CHARS && add(atomOf(match), kind);
      return isAdded ? ' '.repeat(match.length) : match;
    });
  }
  for (const match of text.matchAll(ERROR_LINE)) add(match[0].trimEnd(), 'error');
  return atoms;
}
