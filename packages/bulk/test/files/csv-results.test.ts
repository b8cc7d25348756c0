import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { defineDecision } from "@decern/core";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import schema from "../../manifest.schema.json" with { type: "json" };
import { bulkFile } from "../../src/index.js";
import { ManifestFile } from "../../src/parts/manifest.js";
import { duckdb, sqlText } from "../formats/duckdb.js";
import { inFolder, outputOf } from "./support/in-folder.js";
import { now } from "./support/sized.js";

const quiet = { error: () => {} };
const name = z.string();

/** Its output repeats what it is given. */
const echoing = defineDecision({
  id: "echoing",
  version: "1",
  inputSchema: z.object({ id: z.string(), name, tags: z.array(name).optional() }),
  outputSchema: z.object({ name, tags: z.array(name).optional() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "cursed",
      when: ({ id }) => id === "13",
      emit: () => {
        throw new Error("unlucky");
      },
    },
    {
      id: "any",
      when: ({ id }) => id !== "none",
      emit: ({ name, tags }) => ({ name, ...(tags && { tags }) }),
    },
  ],
});

const options = { work: { decision: echoing }, emit: "csv", key: "/id", now, logger: quiet };
const awkward = ["a,b", 'say "hi"', "two\nlines", "a\r\nb", "", " padded ", "é😀", "plain", "=1+1"];

describe("results as CSV", () => {
  it("are one table that another reader reads, in every part", async () => {
    const inputs = awkward.map((text, index) => ({ id: `C-${index}`, name: text, tags: [text, "x"] }));
    await inFolder(
      inputs.map((input) => JSON.stringify(input)).join("\n"),
      async ({ input, output, folder }) => {
        const { parts } = await bulkFile({ input, output, ...options, partBytes: 100 });
        expect(parts.total).toBeGreaterThan(2);
        const names = (await readdir(output)).filter((file) => file.startsWith("part-"));
        expect(names.every((file) => /^part-\d{5}\.csv$/.test(file))).toBe(true);
        const whole = join(folder, "whole.csv");
        const { writeFile } = await import("node:fs/promises");
        await writeFile(whole, await outputOf(output));
        const rows = await duckdb(
          `select line, key, status, "matchedRule", error, "data.name", "data.tags" from read_csv(${sqlText(whole)}, header = true, all_varchar = true, quote = '"', escape = '"', delim = ',', allow_quoted_nulls = false) order by line::int`,
        );
        expect(rows).toEqual(
          inputs.map(({ id, name, tags }, index) => [
            `${index + 1}`,
            id,
            "OK",
            "any",
            null,
            name,
            JSON.stringify(tags),
          ]),
        );
      },
    );
  });

  it("say what is wrong with an input, and have its key wherever it can be read", async () => {
    const lines = ['{"id":"none","name":"n"}', '{"id":"A"}', "{", '{"id":"13","name":"n"}'];
    await inFolder(`${lines.join("\n")}\n`, async ({ input, output }) => {
      await bulkFile({ input, output, ...options });
      const [header, ...rows] = (await outputOf(output)).trimEnd().split("\n");
      expect(header).toBe("line,key,status,matchedRule,error,data.name,data.tags");
      expect(rows[0]).toBe("1,none,NO_MATCH,,,,");
      expect(rows[1]).toMatch(/^2,A,INVALID_INPUT,,"?\/name: .*,,$/);
      expect(rows[2]).toMatch(/^3,,INVALID_JSON,,[^,]+,,$/);
      expect(rows[3]).toMatch(/^4,13,ERROR,,"?Evaluation failed.*,,$/);
    });
  });

  it("are the same to the byte after a stop, and belong to a job of their own", async () => {
    const text = Array.from({ length: 50 }, (_, n) => JSON.stringify({ id: `${n}`, name: "n,n" })).join("\n");
    await inFolder(text, async ({ input, output, folder }) => {
      const whole = join(folder, "whole");
      await bulkFile({ input, output: whole, ...options, partBytes: 200 });
      const stop = new AbortController();
      const stopped = await bulkFile({
        input,
        output,
        ...options,
        partBytes: 200,
        signal: stop.signal,
        onProgress: ({ items }) => {
          if (items > 0) stop.abort();
        },
      });
      expect(stopped.state).toBe("stopped");
      for (const other of [{ emit: "compact" }, { key: "/name" }, { key: undefined }]) {
        const path = Object.keys(other).map((option) => `/${option}`);
        await expect(bulkFile({ input, output, ...options, ...other })).rejects.toMatchObject({
          code: "JOB_CHANGED",
          problems: path.map((each) => expect.objectContaining({ path: each })),
        });
      }
      expect(await bulkFile({ input, output, ...options })).toMatchObject({ state: "finished" });
      expect(await outputOf(output)).toBe(await outputOf(whole));
      const ajv = new Ajv({ strict: false, validateFormats: false });
      const { parts, ...manifest } = (await ManifestFile.read(output)) ?? { parts: [] };
      expect(ajv.validate({ ...schema, required: [] }, { ...manifest, parts })).toBe(true);
    });
  });
});

describe("keys", () => {
  it("are in every result that has an input", async () => {
    const lines = ['{"id":"A","name":"n"}', '{"id":"none","name":"n"}', '{"id":"B"}', '{"name":"n"}', "{"];
    await inFolder(lines.join("\n"), async ({ input, output }) => {
      for (const emit of ["compact", "envelope"]) {
        await bulkFile({ input, output: `${output}-${emit}`, ...options, emit });
        const results = (await outputOf(`${output}-${emit}`)).trimEnd().split("\n");
        expect(results.map((text) => JSON.parse(text))).toMatchObject([
          { line: 1, key: "A", status: "OK" },
          { line: 2, key: "none", status: "NO_MATCH" },
          { line: 3, key: "B", status: "INVALID_INPUT" },
          { line: 4, status: "INVALID_INPUT" },
          { line: 5, code: "INVALID_JSON" },
        ]);
      }
    });
  });

  it.each(["id", "/a~2", "", "/"])("refuses %j as a pointer, or reads nothing there", async (key) => {
    await inFolder('{"id":"A","name":"n"}', async ({ input, output }) => {
      const done = bulkFile({ input, output, ...options, key });
      if (key !== "/") await expect(done).rejects.toMatchObject({ problems: [{ path: "/key" }] });
      else expect(await done).toMatchObject({ items: 1 });
    });
  });
});
