import type { DmnTestResult } from "@decern/dmn";
import { plural } from "./text.js";

/** A case of a test file, and where it stands: `compliance-level-3/0001-filter`. */
export interface KitResult extends DmnTestResult {
  readonly level: string;
  readonly folder: string;
}

interface Counted {
  readonly passed: number;
  readonly total: number;
}

export interface KitLevel extends Counted {
  readonly level: string;
  /** The cases that expect something else than null. */
  readonly notNull: Counted;
  /** The mean of the folders' shares, from 0 to 1. */
  readonly meanOfFolders: number;
  readonly folders: readonly (Counted & { readonly folder: string })[];
}

/** Counts cases, as the kit does. A case that expects nothing doesn't count. */
export function levelsOf(results: readonly KitResult[]): readonly KitLevel[] {
  const compared = results.filter(({ status }) => status !== "IGNORED");
  return [...grouped(compared, ({ level }) => level)].map(([level, cases]) => {
    const folders = [...grouped(cases, ({ folder }) => folder)].map(([folder, own]) => {
      return { folder, ...counted(own) };
    });
    const notNull = cases.filter((each) => each.results.some(({ isNullExpected }) => !isNullExpected));
    const shares = folders.reduce((sum, { passed, total }) => sum + passed / total, 0);
    return {
      level,
      ...counted(cases),
      notNull: counted(notNull),
      meanOfFolders: shares / folders.length,
      folders,
    };
  });
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function counted(cases: readonly KitResult[]): Counted {
  return { passed: cases.filter(({ status }) => status === "SUCCESS").length, total: cases.length };
}

/** For people: each level, each folder, and the cases that fail. */
export function showKitResults(results: readonly KitResult[]): readonly string[] {
  const failed = results.filter(({ status }) => status === "ERROR");
  return [
    ...levelsOf(results).flatMap((level) => {
      const { notNull, meanOfFolders, folders } = level;
      return [
        `${level.level}: ${share(level)}; of those that expect more than null ${share(notNull)}; mean of folders ${percent(meanOfFolders)}`,
        ...folders.map(({ folder, passed, total }) => `  ${folder}: ${passed} of ${total}`),
      ];
    }),
    ...failed.flatMap((each) => [
      `failed: ${each.level}/${each.folder}, ${each.file}, case "${each.id}"${each.problem === undefined ? "" : `: ${each.problem}`}`,
      ...reasonsOf(each).map((reason) => `  ${reason}`),
    ]),
    failed.length === 0 ? "all cases pass" : `${plural(failed.length, "case")} failed`,
  ];
}

function share({ passed, total }: Counted): string {
  return `${passed} of ${total}${total === 0 ? "" : ` (${percent(passed / total)})`}`;
}

function percent(part: number): string {
  // Not rounded up: what isn't all must not look like it.
  return `${Math.floor(part * 10_000) / 100} %`;
}

function reasonsOf({ results }: DmnTestResult): readonly string[] {
  return results
    .filter(({ isPassed }) => !isPassed)
    .map(({ name, expected, got }) => `"${name}": expected ${expected}, got ${got}`);
}

/**
 * The results in the form of the kit's `tck_results.csv`: a line per case, of the folder with its level, the test file without its
 * extension, the case, `SUCCESS`, `ERROR` or `IGNORED`, and a message. The kit's report splits it by lines, and fields at commas
 * outside quotes.
 *
 * @see https://github.com/dmn-tck/tck/blob/master/runners/dmn-tck-runner/src/main/java/org/omg/dmn/tck/runner/junit4/DmnTckRunner.java
 * @see https://github.com/dmn-tck/tck/blob/master/runners/dmn-tck-reporter/src/main/java/org/omg/dmn/tck/Reporter.java
 */
export function kitCsv(results: readonly KitResult[]): string {
  return results
    .filter(({ id }) => id !== "")
    .map((each) => {
      const message = each.problem ?? reasonsOf(each).join("; ");
      const file = each.file.replace(/\.[^.]*$/, "");
      return `${[`${each.level}/${each.folder}`, file, each.id, each.status, message].map(field).join(",")}\n`;
    })
    .join("");
}

function field(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll(/\s+/g, " ")}"`;
}

/** `tck_results.properties`: who submits the results, and of what. @param day - ISO 8601 */
export function kitProperties(version: string, day: string): string {
  const home = "https://github.com/decern/decern";
  const properties = {
    "vendor.name": "Decern",
    "vendor.url": home,
    "product.name": "Decern",
    "product.url": home,
    "product.version": version,
    "product.comment": "DMN models behind HTTP, in TypeScript",
    "last.update": day,
    "instructions.url": `${home}/blob/main/docs/dmn.md`,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
