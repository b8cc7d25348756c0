import type { DocsField, DocsFields, DocsListEntry } from "./data.js";

/** Why a decision was found, where its name and description do not show it. */
export interface FoundBy {
  readonly kind: "owner" | "tag" | "version" | "rule" | "field";
  readonly text: string;
  /** How many others of that kind fit as well. */
  readonly more: number;
}

export interface FoundDecision {
  readonly entry: DocsListEntry;
  readonly reasons: readonly FoundBy[];
}

/** What one word was found in. Undefined where it was not found. */
type WordHit = { readonly inId: boolean; readonly reason?: FoundBy } | undefined;

/**
 * Finds the decisions that have every word of a query in their id, owner, tags, description, versions, rules or fields.
 * Those whose id has all words come first.
 *
 * @param fields - undefined while they are not loaded
 */
export function findDecisions(
  decisions: readonly DocsListEntry[],
  fields: DocsFields | undefined,
  query: string,
): readonly FoundDecision[] {
  const words = [...new Set(query.toLowerCase().split(/\s+/))].filter((word) => word !== "");
  const byId: FoundDecision[] = [];
  const others: FoundDecision[] = [];
  for (const entry of decisions) {
    const own = fields !== undefined && Object.hasOwn(fields, entry.id) ? (fields[entry.id] ?? []) : [];
    const hits = words.map((word) => findWord(entry, own, word));
    if (hits.includes(undefined)) continue;
    const reasons = new Map(
      hits.flatMap((hit) => (hit?.reason === undefined ? [] : [[textOf(hit.reason), hit.reason]])),
    );
    const found = { entry, reasons: [...reasons.values()] };
    (hits.every((hit) => hit?.inId === true) ? byId : others).push(found);
  }
  return [...byId, ...others];
}

/** A reason in words, such as `rule: score-too-low`. */
export function textOf({ kind, text, more }: FoundBy): string {
  return `${kind}: ${text}${more === 0 ? "" : ` and ${more} more`}`;
}

function findWord(entry: DocsListEntry, fields: readonly DocsField[], word: string): WordHit {
  const has = (text: string): boolean => text.toLowerCase().includes(word);
  if (has(entry.id)) return { inId: true };
  const reason =
    because("owner", entry.owner === undefined ? [] : [entry.owner], has) ??
    because("tag", entry.tags ?? [], has);
  if (reason !== undefined) return { inId: false, reason };
  if (has(entry.version) || has(entry.description ?? "")) return { inId: false };
  const deeper =
    because("rule", entry.ruleIds, has) ??
    because("field", fields.map(fieldText), has) ??
    because("version", entry.versions?.map(({ version }) => version) ?? [], has);
  return deeper === undefined ? undefined : { inId: false, reason: deeper };
}

function because(
  kind: FoundBy["kind"],
  texts: readonly string[],
  has: (text: string) => boolean,
): FoundBy | undefined {
  const [text, ...more] = texts.filter(has);
  return text === undefined ? undefined : { kind, text, more: more.length };
}

function fieldText({ name, title }: DocsField): string {
  return title === undefined ? name : `${name} (${title})`;
}
