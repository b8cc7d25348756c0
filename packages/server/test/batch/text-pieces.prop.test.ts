import fc from "fast-check";
import { expect, it } from "vitest";
import { TextPieces } from "../../src/batch/body-reader.js";

it("loses nothing, and has no piece that is much longer than the others", () => {
  const short = fc.string({ unit: "grapheme", maxLength: 20 });
  const texts = fc.array(fc.tuple(short, fc.nat(1000)).map(([text, times]) => text.repeat(times)));
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const pieces = new TextPieces();
      for (const text of first) pieces.add(text);
      expect(pieces.length).toBe(first.join("").length);
      const taken = pieces.take();
      expect(pieces.length).toBe(0);
      expect(taken.join("")).toBe(first.join(""));
      for (const text of second) pieces.add(text);
      expect(pieces.take().join("")).toBe(second.join(""));
      expect(pieces.take()).toEqual([]);
      const longest = Math.max(0, ...first.map(({ length }) => length));
      for (const piece of taken) expect(piece.length).toBeLessThan(15_000 + longest);
    }),
  );
});
