/** Headers by name. */
type HeaderValues = Readonly<Record<string, string>>;

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Where the service is, without `/decisions`. In browsers also a path, such as `/api`. */
  readonly url: string | URL;
  /** Sent with every request, such as an API key. A function is called for each request, and may be asynchronous. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>) | undefined;
  /**
   * How long a call may take in milliseconds, retries included. `Infinity` sets no limit.
   *
   * @default 10000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call is sent again after a failed connection or a 429, 502, 503 or 504.
   *
   * @default 2
   */
  readonly retries?: number | undefined;
  /**
   * The most bytes of one reply, as `fetch` decompresses it. A larger one ends the call with `UNEXPECTED_REPLY`.
   *
   * @default 67108864 (64 MiB)
   */
  readonly maxReplyBytes?: number | undefined;
  /**
   * Sends the requests.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}
