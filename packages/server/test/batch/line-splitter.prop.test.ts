import fc from "fast-check";
import { expect, it } from "vitest";
import { LineSplitter } from "../../src/batch/body-reader.js";

const lines = fc.array(fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replaceAll("\n", "")));

it("finds the lines of a text, wherever its bytes are cut, and nothing of those that are too long", () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat(5)), fc.boolean(), (texts, cuts, hasEnd) => {
      const maxBytes = 20;
      const text = texts.join("\n") + (hasEnd && texts.length > 0 ? "\n" : "");
      const bytes = Buffer.from(text);
      const splitter = new LineSplitter(maxBytes);
      const found: (string | undefined)[] = [];
      let start = 0;
      for (const length of [...cuts, bytes.length]) {
        found.push(...splitter.push(bytes.subarray(start, start + length)));
        start += length;
      }
      found.push(...splitter.end());
      // What follows the last newline is a line only if there is something.
      const expected = text.split("\n").slice(0, text.endsWith("\n") || text === "" ? -1 : undefined);
      expect(found).toEqual(
        expected
          .map((line) => Buffer.from(line))
          .map((line) => (line.length > maxBytes ? undefined : line.toString())),
      );
    }),
  );
});
