import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { LineSplitter } from "../../src/batch/body-reader.js";

it("keeps a line that arrives byte by byte without much more than the line", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const length = 200_000;
  const splitter = new LineSplitter(length);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < length; count += 1) splitter.push(Buffer.alloc(1, "x"));
  collectGarbage();
  // A buffer of its own for each byte takes two hundred bytes.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * length);
  expect(splitter.push(Buffer.from("\n"))).toEqual(["x".repeat(length)]);
});
