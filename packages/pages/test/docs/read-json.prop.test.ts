import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../src/json/reading.js";
import { jsonNumber, sentAsWritten } from "./number-text.js";

/** JSON text, and the texts of the numbers in it. */
interface Written {
  readonly text: string;
  readonly numbers: readonly string[];
}

const join = (open: string, parts: readonly Written[], close: string): Written => ({
  text: `${open}${parts.map(({ text }) => text).join(",\n")}${close}`,
  numbers: parts.flatMap(({ numbers }) => numbers),
});
const quoted = fc
  .oneof(fc.string(), jsonNumber, fc.constantFrom('"', "\\", "\\\\1e999", '\\"1e999'))
  .map((text) => JSON.stringify(text));
const nameOf = ([key]: readonly [string, Written]): unknown => JSON.parse(key);
const { tree } = fc.letrec<{ tree: Written }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    jsonNumber.map((text): Written => ({ text, numbers: [text] })),
    fc.oneof(quoted, fc.constantFrom("true", "null")).map((text): Written => ({ text, numbers: [] })),
    fc.array(tie("tree"), { maxLength: 4 }).map((items) => join("[", items, "]")),
    // Without equal names: Node 24 keeps the first or the last one of them, in turns, where they are escaped.
    fc.uniqueArray(fc.tuple(quoted, tie("tree")), { maxLength: 4, selector: nameOf }).map((entries) =>
      join(
        "{ ",
        entries.map(([key, { text, numbers }]) => ({ text: `${key} : ${text}`, numbers })),
        " }",
      ),
    ),
  ),
}));

describe("the text of the JSON view", () => {
  it("is sent with its numbers as written, or refused", () => {
    fc.assert(
      fc.property(tree, ({ text, numbers }) => {
        const reading = readJson(text);
        if (numbers.every(sentAsWritten)) {
          expect(reading).toEqual({ value: JSON.parse(text) });
        } else {
          expect(reading).toHaveProperty("problem");
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("is refused with the line of the number", () => {
    expect(readJson('{\n  "a": "1e999",\n  "b": 1e999\n}')).toEqual({
      problem: "1e999 on line 3 is too large to send as a number",
    });
    expect(readJson("[12345678901234567890]")).toEqual({
      problem:
        "12345678901234567890 on line 1 cannot be sent exactly as written: it would become 12345678901234567000",
    });
  });

  it("is refused when it is not JSON", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const reading = readJson(text);
        if ("value" in reading) expect(reading.value).toEqual(JSON.parse(text));
        else expect(reading.problem).not.toBe("");
      }),
    );
  });
});

it("refuses a name that an object has twice, of which JavaScript would keep the last", () => {
  expect(readJson('{"a": 1,\n "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}')).toHaveProperty("value");
  expect(readJson('{"a": 1,\n "b": 2,\n "\\u0061": 3}')).toEqual({
    problem: 'The name "a" is there twice, again on line 3',
  });
  expect(readJson('{"text": "{\\"a\\": 1, \\"a\\": 2}", "a": "x"}')).toHaveProperty("value");
});
