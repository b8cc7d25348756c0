/** Sent with every reply. Pages replace the policy with one that allows their own files. */
const security = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
} as const;

const exposed = "x-request-id, etag, retry-after";

/**
 * The headers that every reply has.
 *
 * @param deprecates - whether replies may have the headers of a deprecated version
 */
export function staticHeaders(withCors: boolean, deprecates: boolean): Readonly<Record<string, string>> {
  if (!withCors) return security;
  return {
    ...security,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": deprecates ? `${exposed}, deprecation, sunset, link` : exposed,
  };
}
