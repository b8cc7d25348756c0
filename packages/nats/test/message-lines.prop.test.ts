import fc from "fast-check";
import { expect, it } from "vitest";
import { messageLines } from "../src/take/tries.js";

const textsOf = (text: string) =>
  messageLines({ seq: 7, data: Buffer.from(text) }).map(({ position, bytes }) => [
    position,
    Buffer.from(bytes).toString(),
  ]);

it("gives a message of one line its sequence, and lines of others their number", () => {
  expect(textsOf("{}")).toEqual([["7", "{}"]]);
  expect(textsOf("{}\n")).toEqual([["7", "{}"]]);
  expect(textsOf("")).toEqual([["7", ""]]);
  expect(textsOf("1\n\n3")).toEqual([
    ["7:1", "1"],
    ["7:2", ""],
    ["7:3", "3"],
  ]);
});

it("finds every line again, with and without a newline at the end", () => {
  const line = fc.string({ unit: "binary" }).filter((text) => !text.includes("\n"));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const found = textsOf(`${lines.join("\n")}\n`).map(([, text]) => text);
      expect(found).toEqual(lines.map((text) => Buffer.from(text).toString()));
    }),
  );
});
