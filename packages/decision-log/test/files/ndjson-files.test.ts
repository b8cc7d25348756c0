import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordStoreSuite } from "../../../../test/suites/record-store-suite.js";
import { ndjsonFiles } from "../../src/files/ndjson-files.js";

/** Rewrites the lines of every file. */
async function rewrite(directory: string, change: (line: string) => string | undefined): Promise<void> {
  for (const name of (await readdir(directory)).filter((entry) => entry.endsWith(".ndjson"))) {
    const path = join(directory, name);
    const lines = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, lines.flatMap((line) => change(line) ?? []).join("\n"));
  }
}

for (const [name, rotateBytes] of [
  ["files", 128e6],
  ["small files", 3000],
] as const) {
  recordStoreSuite(name, async () => {
    const directory = await mkdtemp(join(tmpdir(), "decern-files-"));
    const make = () => ndjsonFiles(directory, { rotateBytes });
    return {
      store: make(),
      another: make,
      readAll: async () => {
        const names = await readdir(directory);
        return (await Promise.all(names.map((entry) => readFile(join(directory, entry), "utf8")))).join("");
      },
      replaceText: (recordId, from, to) =>
        rewrite(directory, (line) => (line.includes(recordId) ? line.replace(from, to) : line)),
      removeRecord: (recordId) =>
        rewrite(directory, (line) => (line.includes(`"recordId":"${recordId}"`) ? undefined : line)),
      dispose: () => rm(directory, { recursive: true, force: true }),
    };
  });
}
