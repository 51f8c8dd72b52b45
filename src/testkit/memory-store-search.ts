// Searching entries in memory, in the three steps of every store: as words, anywhere, some of the words.
import { storableText } from '../adapters/store/entry-check.ts';
import { excerptOf, foldText, hasEveryTerm, searchTerms, wordsOf } from '../adapters/store/search-text.ts';
import { UllageError } from '../core/errors.ts';
import type { SearchHit, Store } from '../ports/store.ts';
import { type MemoryNode, type MemoryState, sessionOf, tenantOf } from './memory-store-state.ts';

type SearchCommands = Pick<Store, 'unindexedEntries' | 'indexEntries' | 'search'>;

export function searchCommands(state: MemoryState): SearchCommands {
  return {
    async unindexedEntries({ tenant: name, sessionId, limit }) {
      const tenant = tenantOf(state, name);
      if (state.storage === 'none') return [];
      const nodes = [...(tenant.sessions.get(sessionId)?.nodes.values() ?? [])].filter(({ text }) => text === undefined);
      return nodes
        .slice(0, limit)
        .map(({ entry, conversationId }) => ({ ...entry, api: tenant.conversations.get(conversationId)!.row.api }));
    },
    async indexEntries({ tenant, sessionId, rows }) {
      const { nodes } = sessionOf(tenantOf(state, tenant), sessionId);
      if (state.storage === 'none') return;
      for (const { chain, text } of rows) {
        const node = nodes.get(chain);
        if (node !== undefined) node.text ??= storableText(text);
      }
    },
    async search({ tenant, sessionId, text, limit }) {
      if (state.storage === 'none')
        throw new UllageError('not_stored', 'There is nothing to search: this store keeps no message texts (storage: none).');
      const nodes = [...(tenantOf(state, tenant).sessions.get(sessionId)?.nodes.values() ?? [])].reverse();
      const terms = searchTerms(text);
      if (terms.length === 0) return [];
      return rank(nodes, terms)
        .slice(0, limit)
        .map((node) => hitOf(node, terms));
    },
  };
}

interface Candidate {
  readonly node: MemoryNode;
  readonly folded: string;
  /** The words of the text, each with a space before it. */
  readonly words: string;
}

function rank(nodes: readonly MemoryNode[], terms: readonly string[]): MemoryNode[] {
  const candidates = nodes.map((node): Candidate => {
    const folded = foldText(node.text ?? '');
    return {
      node,
      folded,
      words: wordsOf(folded)
        .map((word) => ` ${word}`)
        .join(''),
    };
  });
  const phrases = terms
    .map(wordsOf)
    .filter((words) => words.length > 0)
    .map((words) => words.map((word) => ` ${word}`).join(''));
  const isWordy = phrases.length === terms.length;
  const asWords = candidates.filter(({ words }) => isWordy && phrases.every((phrase) => words.includes(phrase)));
  const anywhere = candidates.filter((candidate) => !asWords.includes(candidate) && hasEveryTerm(candidate.folded, terms));
  const some = candidates.filter(({ words }) => phrases.some((phrase) => words.includes(phrase)));
  const found = [...byWeight(asWords, phrases), ...anywhere];
  return (found.length > 0 ? found : byWeight(some, phrases)).map(({ node }) => node);
}

/** Share of the text that the phrases make up; equal ones stay newest first. */
function byWeight(candidates: readonly Candidate[], phrases: readonly string[]): Candidate[] {
  const weight = ({ words }: Candidate): number =>
    phrases.reduce((sum, phrase) => sum + (words.split(phrase).length - 1) * phrase.length, 0) / (words.length + 200);
  return candidates
    .map((candidate) => ({ candidate, weight: weight(candidate) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ candidate }) => candidate);
}

function hitOf({ entry, conversationId, text }: MemoryNode, terms: readonly string[]): SearchHit {
  const { chain, position, role, atMs } = entry;
  return { chain, position, conversationId, role, atMs, excerpt: excerptOf(text ?? '', terms) };
}
