import { DecernError } from "../errors.js";

/**
 * Brings a prefix into one form: `x`, `/x` and `/x/` are `/x`; nothing, and `/`, are empty.
 *
 * @throws DecernError `INVALID_OPTIONS` for a character that a router would take for a pattern
 */
export function normalizePrefix(prefix: string | undefined): string {
  const segments = (prefix ?? "").split("/").filter((segment) => segment !== "");
  for (const segment of segments) {
    if (!/^[A-Za-z0-9._~-]+$/.test(segment)) {
      throw new DecernError("INVALID_OPTIONS", {
        problems: [
          { path: "/prefix", message: `"${segment}" has characters other than A-Z a-z 0-9 . _ ~ -` },
        ],
      });
    }
  }
  return segments.map((segment) => `/${segment}`).join("");
}

/** Where a decision is mounted under a prefix. Ids need no escaping: they are made of unreserved characters only. */
export function decisionPath(prefix: string | undefined, id: string): string {
  return `${normalizePrefix(prefix)}/${id}`;
}
