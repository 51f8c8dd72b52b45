// Raw messages of one API → entries with their place in a chain, as the engine stores them.
import { sha256 } from '../../../../adapters/system/index.ts';
import type { WireCodec } from '../../../../core/codec.ts';
import { estimateMessage } from '../../../../core/size/estimator.ts';
import { chainHash, fingerprint } from '../../../../core/transcript/chain.ts';
import type { Entry } from '../../../../core/transcript/entry.ts';

/** Throws transcript_invalid for a message the API does not know. */
export function entriesOf(codec: WireCodec, raws: readonly string[]): readonly Entry[] {
  let chain = '';
  return raws.map((raw, position) => {
    const message = codec.decodeMessage(raw);
    const own = fingerprint(codec.canonicalMessage(raw), sha256);
    chain = chainHash(chain, own, sha256);
    return { position, fingerprint: own, chain, message, tokens: estimateMessage(message) };
  });
}

/** Estimated tokens of raw messages, by the engine's own measure. */
export function tokensOfRaws(codec: WireCodec, raws: readonly string[]): number {
  return raws.reduce((sum, raw) => sum + estimateMessage(codec.decodeMessage(raw)), 0);
}
