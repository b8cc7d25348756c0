import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bulkFile } from "../../src/index.js";
import { inFolder, outputOf, partsIn } from "./support/in-folder.js";
import { now, sized } from "./support/sized.js";

const quiet = { error: () => {} };

describe("bulkFile", () => {
  it("writes one line for each line, in order, and names the line of one that fails", async () => {
    const lines = ['{"n":1}', '{"n":11}', '{"n":"x"}', "{n:1}", '{"n":13}', "", '{"__proto__":1}'];
    await inFolder(`${lines.join("\n")}\n`, async ({ input, output }) => {
      const summary = await bulkFile({ input, output, work: { decision: sized }, now, logger: quiet });
      const answers = (await outputOf(output)).trimEnd().split("\n");
      expect(answers.map((text) => JSON.parse(text))).toEqual([
        { line: 1, status: "OK", data: { n: 1, lot: "1", year: 2026 }, matchedRule: "small" },
        { line: 2, status: "NO_MATCH" },
        { line: 3, status: "INVALID_INPUT", errors: [expect.objectContaining({ path: "/n" })] },
        { line: 4, error: expect.any(String), code: "INVALID_JSON" },
        { line: 5, error: expect.any(String), code: "EVALUATION_FAILED" },
        { line: 6, error: expect.any(String), code: "INVALID_JSON" },
        { line: 7, error: expect.any(String), code: "FORBIDDEN_KEY" },
      ]);
      expect(summary).toEqual({
        state: "finished",
        items: 7,
        counts: { OK: 1, NO_MATCH: 1, INVALID_INPUT: 1, INVALID_JSON: 3, ERROR: 1 },
        parts: { total: 1, kept: 0, made: 1 },
        now,
      });
      expect((await readdir(output)).toSorted()).toEqual(["manifest.json", "part-00000.ndjson"]);
      const manifest = JSON.parse(await readFile(join(output, "manifest.json"), "utf8"));
      expect(manifest).toMatchObject({ formatVersion: 1, state: "finished", now: now.toISOString() });
    });
  });

  it("cuts a file into parts that know their lines", async () => {
    const text = Array.from({ length: 100 }, (_, n) => JSON.stringify({ n })).join("\n");
    await inFolder(text, async ({ input, output }) => {
      const work = { decision: sized, profiles: { sized: { most: 1000 } } };
      const { parts } = await bulkFile({ input, output, work, partBytes: 100, logger: quiet });
      expect(parts.total).toBeGreaterThan(5);
      expect(await partsIn(output)).toHaveLength(parts.total);
      const answers = (await outputOf(output)).trimEnd().split("\n");
      const lots = answers
        .map((answer) => JSON.parse(answer))
        .map(({ data, line }) => data?.lot ?? `${line}`);
      expect(lots).toEqual(Array.from({ length: 100 }, (_, n) => `${n + 1}`));
    });
  });
});
