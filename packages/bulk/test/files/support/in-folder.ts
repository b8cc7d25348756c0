import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one test, with an input file and a folder for output. */
export async function inFolder<Result>(
  input: string | Uint8Array,
  use: (paths: {
    readonly input: string;
    readonly output: string;
    readonly folder: string;
  }) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "decern-bulk-"));
  try {
    const paths = { folder, input: join(folder, "in.ndjson"), output: join(folder, "out") };
    await writeFile(paths.input, input);
    return await use(paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Names of the parts that a folder has, in order. */
export async function partsIn(output: string): Promise<readonly string[]> {
  return (await readdir(output)).filter((name) => name.startsWith("part-")).toSorted();
}

/** All parts, one after the other. */
export async function outputOf(output: string): Promise<string> {
  const texts = (await partsIn(output)).map((name) => readFile(join(output, name), "utf8"));
  return (await Promise.all(texts)).join("");
}
