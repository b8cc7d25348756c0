import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Decision } from "@decern/core";

/** A threshold of the demo's source, and where it is in its file. */
interface Threshold {
  readonly file: string;
  readonly at: number;
  readonly text: string;
}

/** A module of decisions in which one threshold is off by one. */
export interface Mutant {
  readonly name: string;
  /** Ids of the decisions that read it. */
  readonly ids: readonly string[];
  readonly load: () => Promise<readonly Decision[]>;
}

const loans = ["loan-approval", "instalment-plan"];
const payments = ["transaction-risk", "instalment-plan"];

/** Files with thresholds, and how these look there: the number is the last group. */
const places: readonly (readonly [file: string, ids: readonly string[], pattern: RegExp])[] = [
  ["loan-approval-rules.ts", loans, /(?:Score|Age) = (\d+)/g],
  ["loan-approval.ts", loans, /stressRate = (\d+)/g],
  ["news2-chart.ts", ["news2"], /upTo: (\d+)/g],
  ["news2.ts", ["news2"], /aggregate\(input\) >= (\d+)/g],
  ["transaction-risk-signals.ts", payments, /(?:points: |accountAgeDays < )(\d+)/g],
];

const sources = fileURLToPath(new URL("../../src/decisions/", import.meta.url));
// Ignored by everybody else.
const output = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Every mutant of the demo's decisions, in a folder of its own each, and a copy without a mutation. */
export function mutants(): {
  readonly list: readonly Mutant[];
  readonly original: () => Promise<readonly Decision[]>;
  readonly remove: () => void;
} {
  mkdirSync(output, { recursive: true });
  const folder = mkdtempSync(join(output, "mutants-"));
  const list = places.flatMap(([file, ids, pattern]) =>
    thresholdsIn(file, pattern).flatMap((threshold) =>
      [-1, 1].map((step) => mutant(folder, threshold, ids, step)),
    ),
  );
  return {
    list,
    original: () => loadDecisions(join(folder, "original"), (_file, source) => source),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function thresholdsIn(file: string, pattern: RegExp): readonly Threshold[] {
  const source = readFileSync(join(sources, file), "utf8");
  return [...source.matchAll(pattern)].map((match) => {
    const text = match[1] ?? "";
    return { file, text, at: match.index + match[0].length - text.length };
  });
}

function mutant(root: string, { file, at, text }: Threshold, ids: readonly string[], step: number): Mutant {
  const value = Number(text) + step;
  const name = `${file} at ${at}: ${text} → ${value}`;
  return {
    name,
    ids,
    load: () =>
      loadDecisions(join(root, name.replaceAll(/[^\w]+/g, "-")), (other, source) =>
        other === file ? source.slice(0, at) + value + source.slice(at + text.length) : source,
      ),
  };
}

/** Writes the demo's decisions to a folder, each file after a change, and loads them. */
async function loadDecisions(
  folder: string,
  change: (file: string, source: string) => string,
): Promise<readonly Decision[]> {
  mkdirSync(folder);
  for (const file of readdirSync(sources)) {
    writeFileSync(join(folder, file), change(file, readFileSync(join(sources, file), "utf8")));
  }
  const { defaultDecisions }: { readonly defaultDecisions: readonly Decision[] } = await import(
    /* @vite-ignore */ join(folder, "catalogue.ts")
  );
  return defaultDecisions;
}
