import { readFileSync } from "node:fs";
import type { Verification } from "../../packages/decision-log/src/index.js";

/** What becomes of a manipulation. */
export type Outcome = "found" | "shown" | "not found";

/** What `docs/audit.md` claims of each kind of manipulation: without heads, and with them. */
export function auditTable(): ReadonlyMap<string, readonly [Outcome, Outcome]> {
  const page = readFileSync(new URL("../../docs/audit.md", import.meta.url), "utf8");
  const [, table = ""] = /\| Somebody … \|.*\n\|[- |]+\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = table
    .trimEnd()
    .split("\n")
    .map((row) =>
      row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  return new Map(rows.map(([what = "", alone = "", heads = ""]) => [what, [outcome(alone), outcome(heads)]]));
}

function outcome(cell: string): Outcome {
  if (cell === "found" || cell === "shown" || cell === "not found") return cell;
  throw new Error(`docs/audit.md has "${cell}" in its table of manipulations`);
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
