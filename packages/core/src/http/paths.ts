import { DecernError } from "../base/errors.js";
import { type Kind, kinds } from "../base/options.js";

/** Characters that no router reads as a pattern. `.` and `..` are out, because clients resolve them before they send. */
const segmentPattern = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

const segmentRule = "segments of A-Z a-z 0-9 . _ ~ - other than . and ..";

/** The path of one endpoint, such as `/metrics`. */
export const endpointKind: Kind<string> = (value, path) => {
  const [root, ...segments] = typeof value === "string" ? value.split("/") : [];
  return root === "" && segments.length > 0 && segments.every((segment) => segmentPattern.test(segment))
    ? []
    : [{ path, message: `must be a path such as /metrics, with ${segmentRule}` }];
};

/** A path to mount something under. It may be empty. */
export const prefixKind: Kind<string> = (value, path) => {
  if (typeof value !== "string") return kinds.text(value, path);
  return segmentsOf(value)
    .filter((segment) => !segmentPattern.test(segment))
    .map((segment) => ({
      path,
      message: `must have ${segmentRule}; "${segment}" is not one`,
    }));
};

/**
 * Brings a prefix into one form: `x`, `/x` and `/x/` become `/x`; `/` and `undefined` become the empty string.
 *
 * @throws DecernError `INVALID_OPTIONS` for a segment that is not plain text
 */
export function normalizePrefix(prefix: string | undefined): string {
  const problems = prefixKind(prefix ?? "", "/prefix");
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return segmentsOf(prefix ?? "")
    .map((segment) => `/${segment}`)
    .join("");
}

function segmentsOf(prefix: string): readonly string[] {
  return prefix.split("/").filter((segment) => segment !== "");
}

/** The path of a decision under a prefix. Ids need no escaping: they consist of unreserved characters only. */
export function decisionPath(prefix: string | undefined, id: string): string {
  return `${normalizePrefix(prefix)}/${id}`;
}

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
