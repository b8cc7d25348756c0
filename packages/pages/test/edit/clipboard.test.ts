import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTabbed, writeTabbed } from "../../src/edit/clipboard.js";

describe("cells from the clipboard", () => {
  it.each([
    // As Excel writes them: quotes only around what has several lines.
    [
      '"DE"\t"KP", "IR"\r\n"Two\nlines ""here"""\t5\r\n',
      [
        ['"DE"'.slice(1, -1), '"KP", "IR"'],
        ['Two\nlines "here"', "5"],
      ],
    ],
    // As LibreOffice does.
    [
      "a\tb\n\tc\n",
      [
        ["a", "b"],
        ["", "c"],
      ],
    ],
    ["one", [["one"]]],
    ["a\r\n\r\nb", [["a"], [""], ["b"]]],
    ['"open\tb', [['"open', "b"]]],
    ["", [[""]]],
    ["a\t\n", [["a", ""]]],
  ])("reads %j", (text, cells) => {
    expect(readTabbed(text)).toEqual(cells);
  });

  it("reads what it writes", () => {
    const cells = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
      .chain(([width, height]) => {
        const cell = fc.string({ unit: fc.constantFrom('"', "\t", "\n", "\r", "a", ",", " ") });
        const row = fc.array(cell, { minLength: width, maxLength: width });
        return fc.array(row, { minLength: height, maxLength: height });
      });
    fc.assert(
      fc.property(cells, (rows) => {
        expect(readTabbed(`${writeTabbed(rows)}\n`)).toEqual(rows);
      }),
    );
  });
});
