/** Sent with every reply. Pages replace the policy with one that allows their own files. */
const security = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
} as const;

const cors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-request-id, etag, retry-after",
} as const;

/** The headers that every reply has. */
export function staticHeaders(withCors: boolean): Readonly<Record<string, string>> {
  return withCors ? { ...security, ...cors } : security;
}
