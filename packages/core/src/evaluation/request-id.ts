const pattern = /^[A-Za-z0-9._-]{1,128}$/;

/** Tells whether a text may be a request id: 1 to 128 of `A-Z a-z 0-9 . _ -`. */
export function isRequestId(text: string): boolean {
  return pattern.test(text);
}

/** Keeps a caller's `x-request-id` when it is valid, else makes a fresh UUID. */
export function requestIdFrom(header: unknown): string {
  return typeof header === "string" && isRequestId(header) ? header : crypto.randomUUID();
}
