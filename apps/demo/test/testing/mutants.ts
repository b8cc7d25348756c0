import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { LockedModule } from "@decern/testing";

const decisions = resolve(import.meta.dirname, "../../src/decisions");

/** A threshold of the demo, one higher or lower than it is. */
export interface Mutant {
  /** Such as `news2-chart.ts:31: 8 -> 9`. */
  readonly name: string;
  /** The version that it changes, as `id@version`. */
  readonly key: string;
  readonly file: string;
  readonly isInProfile: boolean;
  /** What stands in the file now. */
  readonly text: string;
}

const loan1 = "loan-approval@1.2.0";
const loan2 = "loan-approval@2.0.0";
const risk = "transaction-risk@2.0.1";
const news = "news2@2017.12.0";

/** Where the numbers are that decide who gets what. */
const thresholds: readonly (readonly [key: string, file: string, pattern: RegExp, isInProfile?: boolean])[] =
  [
    [loan1, "loan-approval-rules.ts", /(?<=(?:Score|Age) = )\d+/g],
    [loan2, "loan-approval-rules.ts", /(?<=(?:Score|Age) = )\d+/g],
    [loan1, "loan-approval.ts", /(?<=stressRate = |maxDti \/ )\d+/g],
    [loan2, "loan-approval-2.ts", /(?<=(?:prime|nearPrime|standard): |stressMargin = )[\d.]+/g],
    [loan1, "loan-approval.ts", /(?<=const defaultLendingPolicy[^;]*: )[\d_]+(?=,)/g, true],
    [risk, "transaction-risk-signals.ts", /(?<=points: |accountAgeDays < )\d+/g],
    [
      risk,
      "transaction-risk.ts",
      /(?<=(?:highAmount|maxPaymentsPerHour|challengeScore|declineScore): )[\d_]+/g,
      true,
    ],
    [news, "news2-chart.ts", /(?<=upTo: )\d+/g],
    [news, "news2.ts", /(?<=aggregate\(input\) >= )\d+/g],
  ];

/** Every threshold moved by one, in both directions. */
export function mutants(): readonly Mutant[] {
  return thresholds.flatMap(([key, file, pattern, isInProfile = false]) => {
    const source = readFileSync(resolve(decisions, file), "utf8");
    return [...source.matchAll(pattern)].flatMap(({ 0: before, index }) =>
      [1, -1].map((change) => {
        const number = Number(before.replaceAll("_", "")) + change;
        const after = String(Number(number.toFixed(2)));
        const line = source.slice(0, index).split("\n").length;
        const text = source.slice(0, index) + after + source.slice(index + before.length);
        return { name: `${key}, ${file}:${line}: ${before} -> ${after}`, key, file, isInProfile, text };
      }),
    );
  });
}

/** Mutants of decisions that have no file in common, to be loaded in one module. */
export function ofDifferentDecisions(all: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const lists = new Map<string, Mutant[]>();
  for (const mutant of all) {
    const [id = ""] = mutant.key.split("@");
    const list = lists.get(id) ?? [];
    list.push(mutant);
    lists.set(id, list);
  }
  const longest = Math.max(...[...lists.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    [...lists.values()].flatMap((list) => list.slice(index, index + 1)),
  );
}

const sources: ReadonlyMap<string, string> = new Map(
  readdirSync(decisions)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file, readFileSync(resolve(decisions, file), "utf8")] as const),
);

const localImport = /(?<=from ")\.\/([\w-]+)\.js(?=")/g;

/**
 * Loads the demo's module with some files changed.
 *
 * @param folder - where the changed files are written, with those that import them
 */
export async function changedModule(
  changed: ReadonlyMap<string, string>,
  folder: string,
): Promise<LockedModule> {
  const affected = new Set(changed.keys());
  for (const _ of sources) {
    for (const [file, text] of sources)
      if ([...text.matchAll(localImport)].some(([, name]) => affected.has(`${name}.ts`))) affected.add(file);
  }
  mkdirSync(folder, { recursive: true });
  for (const file of affected) {
    const text = changed.get(file) ?? sources.get(file) ?? "";
    // The rest is loaded once for all mutants.
    const linked = text.replaceAll(localImport, (path, name) =>
      affected.has(`${name}.ts`) ? path : resolve(decisions, `${name}.ts`),
    );
    writeFileSync(resolve(folder, file), linked);
  }
  const module: LockedModule = await import(resolve(folder, "index.ts"));
  return module;
}
