// An answer of the provider that is no success, as an error that the library can read, and back again as the response it was.

/** The provider's own status, headers and words. */
export class ProviderFailure extends Error {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, where it is JSON. */
  readonly error: unknown;
  readonly #text: string;

  constructor(response: Response, text: string) {
    super(text);
    this.name = 'ProviderFailure';
    this.status = response.status;
    this.headers = response.headers;
    this.#text = text;
    try {
      this.error = JSON.parse(text);
    } catch {
      this.error = undefined;
    }
  }

  toResponse(): Response {
    const headers = new Headers(this.headers);
    // The text is decoded already, and as long as it is.
    headers.delete('content-encoding');
    headers.delete('content-length');
    return new Response(this.#text, { status: this.status, headers });
  }
}
