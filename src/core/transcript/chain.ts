// Identity: fingerprint of a message, chain hash of an entry and everything before it. The digest function is given.

/** SHA-256 of a UTF-8 text as lower-case hex. */
export type Digest = (text: string) => string;

export function fingerprint(canonical: string, digest: Digest): string {
  return digest(canonical);
}

/** Chain hash of an entry: digest of the previous chain hash ('' for the first) and the fingerprint. */
export function chainHash(previous: string, messageFingerprint: string, digest: Digest): string {
  return digest(`${previous}\n${messageFingerprint}`);
}
