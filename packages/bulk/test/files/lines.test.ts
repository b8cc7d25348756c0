import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bulkFile } from "../../src/index.js";
import { inFolder, outputOf } from "./support/in-folder.js";
import { now, sized } from "./support/sized.js";

const quiet = { error: () => {} };

/** What came of each line: `OK`, or the code of its error. */
async function answersTo(input: string | Uint8Array, options: { partBytes?: number; maxLine?: number } = {}) {
  return await inFolder(input, async (paths) => {
    const { input, output } = paths;
    await bulkFile({ input, output, work: { decision: sized }, now, logger: quiet, ...options });
    const text = await outputOf(output);
    expect(text === "" || text.endsWith("\n")).toBe(true);
    const answers = text.split("\n").slice(0, -1);
    return answers.map((answer, index) => {
      const { status, code, line, data } = JSON.parse(answer);
      if (line !== undefined) expect(line).toBe(index + 1);
      if (data !== undefined) expect(data.lot).toBe(`${index + 1}`);
      return code ?? status;
    });
  });
}

describe("lines of a file", () => {
  it.each([
    ["nothing", "", []],
    ["a byte order mark and nothing", "\uFEFF", []],
    ["a byte order mark", '\uFEFF{"n":1}\n{"n":2}', ["OK", "OK"]],
    ["no line break at the end", '{"n":1}\n{"n":2}', ["OK", "OK"]],
    ["CRLF", '{"n":1}\r\n\r\n{"n":2}\r\n', ["OK", "INVALID_JSON", "OK"]],
    ["empty lines", '\n\n{"n":1}\n\n', ["INVALID_JSON", "INVALID_JSON", "OK", "INVALID_JSON"]],
    ["a NUL, and other white space", '\u0000\n \t{"n":1} \n', ["INVALID_JSON", "OK"]],
    ["what is not ASCII", '{"n":1,"name":"Zoë"}\n{"n":2,"name":"\u{1F600}"}\n', ["OK", "OK"]],
  ])("reads %s", async (_, input, expected) => {
    expect(await answersTo(input)).toEqual(expected);
    expect(await answersTo(input, { partBytes: 1 })).toEqual(expected);
  });

  it("refuses a line that is not UTF-8, and no other", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"n":1,"name":"é"}\n{"n":2,"name":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}\n{"n":3}'),
    ]);
    expect(await answersTo(bytes)).toEqual(["OK", "INVALID_JSON", "OK"]);
  });

  it("refuses a line that is too long, wherever it is", async () => {
    const long = (bytes: number): string => `{"n":1,"name":"${"x".repeat(bytes - 17)}"}`;
    expect(long(100)).toHaveLength(100);
    // Longer than what is read at once, too.
    for (const length of [101, 5000, 262_144, 262_145, 1_000_000]) {
      const refused = await answersTo(`{"n":1}\n${long(100)}\n${long(length)}\n{"n":2}`, { maxLine: 100 });
      expect(refused).toEqual(["OK", "OK", "BODY_TOO_LARGE", "OK"]);
      expect(await answersTo(long(length), { maxLine: 100 })).toEqual(["BODY_TOO_LARGE"]);
      expect(await answersTo(`${long(length)}\n${long(length)}\n`, { maxLine: 100 })).toEqual([
        "BODY_TOO_LARGE",
        "BODY_TOO_LARGE",
      ]);
    }
    expect(await answersTo(`${long(2_000_000)}\n{"n":1}`)).toEqual(["BODY_TOO_LARGE", "OK"]);
    // In bytes, not in characters.
    expect(await answersTo(`{"n":1,"name":"${"é".repeat(45)}"}`, { maxLine: 100 })).toEqual([
      "BODY_TOO_LARGE",
    ]);
  });

  it("answers each line once, whatever the size of parts and the length of lines", async () => {
    const line = fc.oneof(
      fc.constant('{"n":1}'),
      fc.constant(""),
      fc.constant("ä"),
      fc.integer({ min: 1, max: 60 }).map((length) => "x".repeat(length)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 80 }),
        async (lines, ends, partBytes) => {
          const text = `${lines.join("\n")}${ends ? "\n" : ""}`;
          // A last line that is empty and lacks its line break is no line.
          const all = text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
          const expected = all.map((one) =>
            one === '{"n":1}' ? "OK" : one.length > 40 ? "BODY_TOO_LARGE" : "INVALID_JSON",
          );
          expect(await answersTo(text, { partBytes, maxLine: 40 })).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("writes envelopes as a service does", async () => {
    await inFolder('{"n":1}\n', async ({ input, output }) => {
      await bulkFile({ input, output, work: { decision: sized }, emit: "envelope", now });
      const envelope = JSON.parse(await readFile(join(output, "part-00000.ndjson"), "utf8"));
      expect(envelope).toMatchObject({
        status: "OK",
        data: { n: 1, lot: "1" },
        meta: { decisionId: "sized", matchedRule: "small", evaluatedAt: now.toISOString() },
      });
    });
  });
});
