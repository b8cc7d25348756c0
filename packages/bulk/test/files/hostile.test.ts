import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { DecernError, defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bulkFile } from "../../src/index.js";
import { inFolder, outputOf } from "./support/in-folder.js";
import { now, sized, telling } from "./support/sized.js";

const quiet = { error: () => {} };
const options = { work: { decision: sized }, now, logger: quiet };
const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ n: n % 9 })).join("\n");

async function refusalOf(promise: Promise<unknown>): Promise<DecernError> {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof DecernError) return error;
  throw new Error("was not refused", { cause: error });
}

/** Runs `act` while the first input is evaluated. */
function once(act: () => void) {
  let acted = false;
  return telling(() => {
    if (!acted) act();
    acted = true;
  });
}

describe("a job whose files somebody else touches", () => {
  it.each([
    [
      "misses a part",
      (text: string) => text.replace(/,\s*\{\s*"file": "part-00001[\s\S]*?"done"[\s\S]*?\}\s*\}\s*\}/, ""),
    ],
    ["has another instant", (text: string) => text.replace('"now": "2026', '"now": "2027')],
    ["was cut", (text: string) => text.slice(0, text.length / 2)],
    ["is empty", () => ""],
  ])("refuses a manifest that %s", async (_, edit) => {
    await inFolder(lines(200), async ({ input, output }) => {
      const some = { input, output, work: options.work, logger: quiet };
      await bulkFile({ ...some, now, partBytes: 500 });
      const path = join(output, "manifest.json");
      const text = await readFile(path, "utf8");
      expect(edit(text)).not.toBe(text);
      await writeFile(path, edit(text));
      const refusal = await refusalOf(bulkFile(some));
      expect(refusal).toMatchObject({ code: "INVALID_OPTIONS", problems: [{ path: "/output" }] });
      expect(refusal.message).toContain("was edited, is damaged, or is of another version");
      await writeFile(path, text);
      expect((await bulkFile(some)).state).toBe("unchanged");
    });
  });

  it("says that the input has changed when it is cut while it is read, and leaves no half files", async () => {
    // More than is read at once.
    await inFolder(lines(50_000), async ({ input, output }) => {
      const decision = once(() => truncateSync(input, 10));
      const refusal = await refusalOf(bulkFile({ input, output, ...options, work: { decision } }));
      expect(refusal.code).toBe("JOB_CHANGED");
      expect(await readdir(output)).toEqual(["manifest.json"]);
    });
  });

  it("ends when another process has taken its folder, and leaves its files alone", async () => {
    await inFolder(lines(50), async ({ input, output }) => {
      const other = JSON.stringify({ pid: 1, host: hostname() });
      const theirs = join(output, "part-00000.ndjson.0123abcd.tmp");
      const decision = once(() => {
        writeFileSync(join(output, "job.lock"), other);
        writeFileSync(theirs, "");
      });
      const job = { input, output, ...options, work: { decision }, partBytes: 90 };
      expect((await refusalOf(bulkFile(job))).code).toBe("JOB_RUNNING");
      expect(await readFile(join(output, "job.lock"), "utf8")).toBe(other);
      expect(await readFile(theirs, "utf8")).toBe("");
    });
  });

  it("refuses a folder that is a file or that cannot be made, and takes one behind a link", async () => {
    await inFolder(lines(3), async ({ input, output, folder }) => {
      const refused = async (path: string) =>
        (await refusalOf(bulkFile({ input, ...options, output: path }))).problems;
      expect(await refused(input)).toEqual([{ path: "/output", message: "is not a folder" }]);
      const [under] = await refused(join(input, "out"));
      expect(under?.message).toMatch(/^cannot be written: ENOTDIR: /);
      const link = join(folder, "link");
      symlinkSync(output, link);
      const [dangling] = await refused(link);
      expect(dangling?.message).toMatch(/^cannot be written: ENOENT: /);
      await bulkFile({ input, output, ...options });
      expect((await bulkFile({ input, ...options, output: link })).state).toBe("unchanged");
    });
  });
});

describe("a folder that holds no job", () => {
  it.each(["package.json", "part-00000.ndjson", "data"])(
    "is refused for %s, and left alone",
    async (name) => {
      await inFolder(lines(3), async ({ input, output }) => {
        mkdirSync(output);
        writeFileSync(join(output, name), "theirs");
        const { code, problems } = await refusalOf(bulkFile({ input, output, ...options }));
        expect(code).toBe("INVALID_OPTIONS");
        expect(problems).toEqual([
          {
            path: "/output",
            message: `has ${name}, but no manifest.json of a job: give a new or empty folder`,
          },
        ]);
        expect(await readdir(output)).toEqual([name]);
        expect(await readFile(join(output, name), "utf8")).toBe("theirs");
      });
    },
  );

  it("is taken with what a system or a killed run leaves there", async () => {
    await inFolder(lines(3), async ({ input, output }) => {
      mkdirSync(join(output, "lost+found"), { recursive: true });
      for (const name of [".DS_Store", "manifest.json.0123abcd.tmp", "part-00000.ndjson.0123abcd.tmp"])
        writeFileSync(join(output, name), "");
      expect((await bulkFile({ input, output, ...options })).state).toBe("finished");
      const left = [".DS_Store", "lost+found", "manifest.json", "part-00000.ndjson"];
      expect((await readdir(output)).toSorted()).toEqual(left);
    });
  });
});

it.each(["in.ndjson", "in.csv"])("bulkFile says that a file has no inputs: %s", async (name) => {
  await inFolder("", async ({ output, folder }) => {
    const said: unknown[] = [];
    const logger = { error: () => {}, warn: (...line: unknown[]) => said.push(line) };
    const input = join(folder, name);
    writeFileSync(input, name === "in.csv" ? "n\n" : "");
    expect(await bulkFile({ input, output, ...options, logger })).toMatchObject({
      items: 0,
      state: "finished",
    });
    expect(said).toEqual([[{ input }, "The file has no inputs"]]);
  });
});

describe("bulkFile, used wrongly", () => {
  it("refuses sizes that no machine has room for", async () => {
    await inFolder("", async ({ input, output }) => {
      const thread = new URL("./no-such-module.mjs", import.meta.url);
      const pathsOf = async (some: object) =>
        (await refusalOf(bulkFile({ input, output, ...options, ...some }))).problems.map(({ path }) => path);
      for (const count of [0, 257, 1.5])
        expect(await pathsOf({ work: { thread, count } })).toEqual(["/work/count"]);
      expect(await pathsOf({ maxLine: 2 ** 28 + 1 })).toEqual(["/maxLine"]);
    });
  });

  it("counts what cannot be written as a fault, with an encoder too", async () => {
    const decision = defineDecision({
      id: "cyclic",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: z.any(),
      profileSchema: z.object({}),
      rules: [
        {
          id: "cycle",
          when: () => true,
          emit: () => {
            const cycle: { self?: unknown } = {};
            cycle.self = cycle;
            return { cycle };
          },
        },
      ],
    });
    const seen: unknown[] = [];
    const encoder = {
      name: "seen",
      encodePart: () => ({
        encode: ({
          status,
          result,
          error,
        }: {
          status: string;
          result: unknown;
          error: DecernError | undefined;
        }) => {
          seen.push([status, result, error?.code]);
          return "{}";
        },
      }),
    };
    for (const emit of ["compact", "envelope", "seen"]) {
      await inFolder("{}\n", async ({ input, output }) => {
        const work = { decision, encoders: [encoder] };
        const { counts } = await bulkFile({ input, output, work, emit, logger: quiet });
        expect(counts).toMatchObject({ OK: 0, ERROR: 1 });
        expect(await outputOf(output)).toMatch(emit === "seen" ? /^\{\}\n$/ : /"EVALUATION_FAILED"/);
      });
    }
    expect(seen).toEqual([["ERROR", undefined, "EVALUATION_FAILED"]]);
  });
});
