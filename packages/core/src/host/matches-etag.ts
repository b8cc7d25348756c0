/**
 * Whether `If-None-Match` names a validator, by weak comparison as RFC 9110 requires.
 *
 * @param header - `*`, or a list of validators
 */
export function matchesETag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  for (const [, opaque] of header.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)) {
    if (opaque === etag) return true;
  }
  return false;
}
