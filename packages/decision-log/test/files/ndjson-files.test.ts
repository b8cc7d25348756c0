import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvaluator } from "@decern/core";
import { expect, it } from "vitest";
import { recordStoreSuite } from "../../../../test/suites/record-store-suite.js";
import { decisionLog, ndjsonFiles } from "../../src/index.js";
import { welcome } from "../support/decisions.js";
import { quietLogger } from "../support/recording-logger.js";

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

it("have the profile of a decision that was used before its first record, even where the caller brought the other one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "decern-files-"));
  const log = decisionLog({ store: ndjsonFiles(directory), logger: quietLogger() });
  const evaluator = createEvaluator({ log });
  for (const name of ["Ada", "Grace"])
    await evaluator.evaluate(welcome, { input: { name }, profile: { mine: true } });
  await log.close();
  const [file = ""] = (await readdir(directory)).filter((entry) => entry.endsWith(".ndjson"));
  const lines = (await readFile(join(directory, file), "utf8")).trimEnd().split("\n");
  const [profile, ...records] = lines.map((line) => JSON.parse(line));
  // SHA-256 of "{}", as sha256sum prints it.
  const profileHash = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
  expect(profile).toEqual({ profile: {}, profileHash, recordVersion: 1 });
  expect(records.map(({ payload }) => [payload.profile, payload.used[0].profileHash])).toEqual([
    [{ mine: true }, profileHash],
    [{ mine: true }, profileHash],
  ]);
  await rm(directory, { recursive: true });
});
