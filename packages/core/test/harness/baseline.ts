import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BaselineHost, baselineDriver } from "./baseline-driver.js";
import type { Core, Driver } from "./driver.js";

/** What today's core is compared with: the last commit before its rebuild. */
const commit = "fb9f6a367d12e4a9714ecb01a146360b6e7bc251";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const paths = ["tsconfig.base.json", "packages/core/tsconfig.json", "packages/core/src"];

/** A change to one file of the baseline that the comparison must notice. */
export interface Mutant {
  readonly name: string;
  /** The plays that show it. */
  readonly family: string;
  /** Below `packages/core/src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Whether this clone has the commit. One without the history does not. */
export function hasBaseline(): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).status === 0;
}

/** Loads the baseline, which it takes from the history, maybe with one change. */
export async function loadBaseline(mutant?: Mutant | undefined): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), "decern-baseline-"));
  try {
    extract(folder);
    const source = join(folder, "packages/core/src");
    if (mutant !== undefined) mutate(join(source, mutant.file), mutant);
    // They are modules of the baseline, whose types these are as far as they are used.
    const core = (await import(/* @vite-ignore */ join(source, "index.ts"))) as Core;
    const host = (await import(/* @vite-ignore */ join(source, "host.ts"))) as BaselineHost;
    return baselineDriver(core, host);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function extract(folder: string): void {
  const maxBuffer = 1 << 28;
  const archive = spawnSync("git", ["archive", commit, ...paths], { cwd: root, maxBuffer });
  if (archive.status !== 0) throw new Error(`git archive: ${archive.stderr}`);
  const tar = spawnSync("tar", ["-x", "-C", folder], { input: archive.stdout });
  if (tar.status !== 0) throw new Error(`tar: ${tar.stderr}`);
}

function mutate(file: string, { name, from, to }: Mutant): void {
  const text = readFileSync(file, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${name}: the text to change is not there once`);
  writeFileSync(
    file,
    text.replace(from, () => to),
  );
}
