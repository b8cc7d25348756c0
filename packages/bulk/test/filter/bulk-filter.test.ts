import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bulkFilter } from "../../src/index.js";
import { now, sized } from "../files/support/sized.js";

const quiet = { error: () => {} };

function collecting() {
  const written: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { output, lines: () => written.join("").split("\n").slice(0, -1) };
}

describe("bulkFilter", () => {
  it("answers each line in its place, wherever chunks end, and the last without a newline", async () => {
    const text =
      '{"n":1}\r\n{"n":11}\n\n{"n":"é"}\n{n\n{"n":13}\n{"n":2,"name":"a name that is too long"}\n{"n":3}';
    for (const size of [1, 7, 1000]) {
      const bytes = Buffer.from(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const { output, lines } = collecting();
      const options = { decision: sized, output, now, maxLine: 30, logger: quiet };
      const summary = await bulkFilter({ ...options, input: Readable.from(chunks) });
      expect(summary).toEqual({
        state: "finished",
        items: 8,
        counts: { OK: 2, NO_MATCH: 1, INVALID_INPUT: 1, INVALID_JSON: 3, ERROR: 1 },
      });
      expect(lines().map((line) => JSON.parse(line))).toMatchObject([
        { line: 1, status: "OK", data: { n: 1, lot: "1", year: 2026 }, matchedRule: "small" },
        { line: 2, status: "NO_MATCH" },
        { line: 3, code: "INVALID_JSON" },
        { line: 4, status: "INVALID_INPUT", errors: [{ path: "/n" }] },
        { line: 5, code: "INVALID_JSON" },
        { line: 6, code: "EVALUATION_FAILED" },
        { line: 7, code: "BODY_TOO_LARGE" },
        { line: 8, status: "OK", data: { n: 3, lot: "8" } },
      ]);
    }
  });

  it("answers what has arrived while the input is quiet, and stops when it is told to", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const stop = new AbortController();
    const done = bulkFilter({ decision: sized, input, output, signal: stop.signal });
    for (const n of [1, 2, 3]) {
      input.write(`{"n":${n}}\n{"n":`);
      const [answer] = await once(output, "data");
      expect(JSON.parse(String(answer))).toMatchObject({ data: { n: n } });
      input.write("4}\n");
      await once(output, "data");
    }
    input.write('{"n":5');
    stop.abort();
    expect(await done).toMatchObject({ state: "stopped", items: 6 });
    expect(input.destroyed).toBe(true);
  });

  it("reads no further while nobody reads its answers", async () => {
    let read = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          read += 1;
          yield '{"n":1}\n'.repeat(100);
        }
      })(),
    );
    const output = new PassThrough();
    const stop = new AbortController();
    const done = bulkFilter({ decision: sized, input: endless, output, signal: stop.signal });
    await expect.poll(() => output.writableNeedDrain).toBe(true);
    const before = read;
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect(read).toBe(before);
    output.resume();
    await expect.poll(() => read).toBeGreaterThan(before + 100);
    stop.abort();
    expect((await done).state).toBe("stopped");
  });

  it("ends with the error of a reader that has gone, and reads no more", async () => {
    const input = new PassThrough();
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("gone"), { code: "EPIPE" })),
    });
    output.on("error", () => {});
    input.write('{"n":1}\n');
    await expect(bulkFilter({ decision: sized, input, output })).rejects.toThrow("gone");
    expect(input.destroyed).toBe(true);
  });

  it("refuses wrong options with every problem", async () => {
    const { output } = collecting();
    const wrong = { decision: sized, input: Readable.from([]), output, emit: "record", now: new Date("x") };
    // @ts-expect-error -- `record` is for files.
    await expect(bulkFilter(wrong)).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path: "/emit" }, { path: "/now" }],
    });
  });
});
