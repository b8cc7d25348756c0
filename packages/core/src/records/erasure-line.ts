import { canonicalJson } from "../copies/canonical-json.js";
import type { Erasure } from "./record-store.js";

/**
 * Writes an erasure as a store keeps it: canonical JSON, chained to the erasure before it as records are.
 *
 * @param previousHash - `hash` of the erasure before it; `null` for the first
 * @param sha256 - hashes UTF-8 text, in the form that records have
 */
export function erasureLine(
  { erasedAt, records, subject }: Erasure,
  previousHash: string | null,
  sha256: (text: string) => string,
): { readonly text: string; readonly hash: string } {
  const chained = { erasure: { erasedAt, records, subject }, previousHash, recordVersion: 1 };
  const hash = sha256(canonicalJson(chained) ?? "");
  return { text: canonicalJson({ ...chained, hash }) ?? "", hash };
}
