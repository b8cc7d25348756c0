import { DecernError } from "../errors.js";
import { type OptionKind, optionKinds } from "../options/option-kinds.js";

const segmentPattern = /^[A-Za-z0-9._~-]+$/;

/** A prefix that a router takes for itself, not for a pattern. */
export const prefixKind: OptionKind = (value, path) => {
  if (typeof value !== "string") return optionKinds.text(value, path);
  return segmentsOf(value)
    .filter((segment) => !segmentPattern.test(segment))
    .map((segment) => ({
      path,
      message: `"${segment}" has characters other than A-Z a-z 0-9 . _ ~ -`,
    }));
};

/**
 * Brings a prefix into one form: `x`, `/x` and `/x/` are `/x`; nothing, and `/`, are empty.
 *
 * @throws DecernError `INVALID_OPTIONS` for a character that a router would take for a pattern
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

/** Where a decision is mounted under a prefix. Ids need no escaping: they are made of unreserved characters only. */
export function decisionPath(prefix: string | undefined, id: string): string {
  return `${normalizePrefix(prefix)}/${id}`;
}
