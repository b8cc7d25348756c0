import { readFileSync } from "node:fs";
import type { Verification } from "../../packages/decision-log/src/index.js";

/** What becomes of a manipulation. */
export type Outcome = "found" | "shown" | "not found";

/** The sentences of `docs/audit.md` above its lists of manipulations: what `verify` says without heads, and with them. */
const lists: readonly (readonly [sentence: string, alone: Outcome, heads: Outcome])[] = [
  ["It fails, and names the record, if somebody", "found", "found"],
  ["With earlier heads of all chains, it also fails if somebody", "not found", "found"],
  ["It counts the records after the last head, and so shows if somebody", "not found", "shown"],
  ["It doesn't notice if somebody", "not found", "not found"],
];

/** What `docs/audit.md` claims of each kind of manipulation: without heads, and with them. */
export function auditTable(): ReadonlyMap<string, readonly [Outcome, Outcome]> {
  const page = readFileSync(new URL("../../docs/audit.md", import.meta.url), "utf8");
  return new Map(
    lists.flatMap(([sentence, alone, heads]) => {
      const [, list] = page.split(`\n${sentence}\n\n`);
      if (list === undefined) throw new Error(`docs/audit.md has no list "${sentence}"`);
      const [items = ""] = list.split("\n\n");
      return items.split("\n").map((item) => [item.replace("- ", ""), [alone, heads]] as const);
    }),
  );
}

/** What a check says. */
export function outcomeOf({ ok, chains, erasures }: Verification): Outcome {
  if (!ok) return "found";
  const isProven = [...chains, ...erasures].every(({ records, upToHead = records }) => upToHead === records);
  return isProven ? "not found" : "shown";
}

/** The heads of every chain, as an operational log has them. */
export function headsOf({ chains, erasures }: Verification): readonly string[] {
  return [...chains, ...erasures].flatMap(({ head }) => head ?? []);
}
