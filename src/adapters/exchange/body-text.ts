// A request's bytes as text. Long ones take milliseconds: it is done once for a request.

/** A byte order mark stays in it, and makes it no JSON. undefined = not UTF-8, or nothing. */
export function bodyText(body: Uint8Array): string | undefined {
  try {
    return body.length === 0 ? undefined : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
