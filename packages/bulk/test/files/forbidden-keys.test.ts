import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bulkFile } from "../../src/index.js";
import { duckdb, sqlText } from "../formats/duckdb.js";
import { inFolder, outputOf } from "./support/in-folder.js";

const polluted = defineDecision({
  id: "polluted",
  version: "1",
  inputSchema: z.looseObject({ any: z.record(z.string(), z.unknown()).optional() }),
  outputSchema: z.object({}),
  profileSchema: z.object({}),
  rules: [{ id: "any", when: () => true, emit: () => ({}) }],
});

/** The code of each line, or its status. */
async function outcomesOf(input: string, output: string): Promise<readonly string[]> {
  await bulkFile({ input, output, work: { decision: polluted } });
  const lines = (await outputOf(output)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line)).map(({ code, status }) => code ?? status);
}

const polluting = ["__proto__", "__proto__.a", "deep.__proto__.a", "constructor.prototype.a"];

describe("keys that reach into a prototype", () => {
  it.each(polluting)("are refused line by line as a column of CSV: %s", async (name) => {
    await inFolder("", async ({ output, folder }) => {
      const path = join(folder, "in.csv");
      await writeFile(path, `n,${name}\n1,2\n`);
      expect(await outcomesOf(path, output)).toEqual(["FORBIDDEN_KEY"]);
    });
  });

  it("are refused in a cell of CSV that is JSON", async () => {
    await inFolder("", async ({ output, folder }) => {
      const path = join(folder, "in.csv");
      const cells = ['{"a":1}', '{"__proto__":{"a":1}}', '{"a":{"constructor":{"prototype":1}}}', '{"a":'];
      await writeFile(
        path,
        ["n,any", ...cells.map((cell, n) => `${n},"${cell.replaceAll('"', '""')}"`)].join("\n"),
      );
      const refused = "FORBIDDEN_KEY";
      expect(await outcomesOf(path, output)).toEqual(["OK", refused, refused, "INVALID_INPUT"]);
    });
  });

  it.each(polluting)("are refused row by row as a column of Parquet: %s", async (name) => {
    await inFolder("", async ({ output, folder }) => {
      const path = join(folder, "in.parquet");
      await duckdb(
        `COPY (SELECT * FROM (VALUES (1, 2), (2, NULL)) t(n, "${name}")) TO ${sqlText(path)} (FORMAT parquet)`,
      );
      expect(await outcomesOf(path, output)).toEqual(["FORBIDDEN_KEY", "OK"]);
    });
  });

  it("are refused in a map of Parquet, however deep", async () => {
    await inFolder("", async ({ output, folder }) => {
      const path = join(folder, "in.parquet");
      const maps = ["MAP {'a': 1}", "MAP {'__proto__': 1}"].map((map) => `([{m: ${map}}])`).join(", ");
      await duckdb(`COPY (SELECT * FROM (VALUES ${maps}) t(list)) TO ${sqlText(path)} (FORMAT parquet)`);
      expect(await outcomesOf(path, output)).toEqual(["OK", "FORBIDDEN_KEY"]);
    });
  });
});
