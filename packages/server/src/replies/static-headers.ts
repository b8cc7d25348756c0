/**
 * Sent with every reply. Pages replace the policy with one that allows their own files, and what may be cached says so. Caches may
 * keep even errors that say nothing, such as a 404.
 */
const security = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
} as const;

const exposed = "x-request-id, etag, retry-after";

/** What replies may have. */
interface ReplyKinds {
  /** The headers of a deprecated version. */
  readonly deprecates: boolean;
  /** The id of a record. */
  readonly records: boolean;
}

/** The headers that every reply has. */
export function staticHeaders(
  withCors: boolean,
  { deprecates, records }: ReplyKinds,
): Readonly<Record<string, string>> {
  if (!withCors) return security;
  const more = [
    ...(deprecates ? ["deprecation, sunset, link"] : []),
    ...(records ? ["decern-record-id"] : []),
  ];
  return {
    ...security,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": [exposed, ...more].join(", "),
  };
}
