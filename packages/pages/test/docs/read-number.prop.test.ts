import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNumber } from "../../src/json/reading.js";
import { isJsonNumber, jsonNumber, numberText, sentAsWritten } from "./number-text.js";

const runs = { numRuns: 3000 };

describe("the text of a number field", () => {
  it("is sent as written, or refused", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const reading = readNumber(text);
        if (isJsonNumber(text) && sentAsWritten(text)) {
          expect(reading).toEqual({ value: JSON.parse(text) });
        } else {
          expect(reading).toHaveProperty("problem");
        }
      }),
      runs,
    );
  });

  it("may be any number that JavaScript writes", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readNumber(JSON.stringify(value))).toEqual({ value: JSON.parse(JSON.stringify(value)) });
      }),
      runs,
    );
  });

  it("is unfinished at every prefix of a valid number", () => {
    fc.assert(
      fc.property(jsonNumber, (text) => {
        if (!sentAsWritten(text)) return;
        for (let length = 1; length < text.length; length += 1) {
          const reading = readNumber(text.slice(0, length));
          // A number too long for a double may become valid with an exponent.
          if ("problem" in reading && !/exactly|large/.test(reading.problem)) {
            expect(reading.unfinished, text.slice(0, length)).toBe(true);
          }
        }
      }),
      runs,
    );
  });

  it.each(["7e", "1,5", "+5", ".5", "05", "0x10", "1_000", "NaN", "Infinity", "−5", "٥", "1 2", "e5", "--1"])(
    "is refused when it is not a number: %s",
    (text) => {
      expect(readNumber(text)).toMatchObject({ problem: "must be a number, such as 12, -1.5 or 2e6" });
    },
  );

  it.each([
    ["12345678901234567890", "cannot be sent exactly as written: it would become 12345678901234567000"],
    ["0.1000000000000000055", "cannot be sent exactly as written: it would become 0.1"],
    ["1e-400", "cannot be sent exactly as written: it would become 0"],
    ["-0", "cannot be sent exactly as written: it would become 0"],
    ["1e999", "is too large to send as a number"],
  ])("is refused when it would become another number: %s", (text, problem) => {
    expect(readNumber(text)).toMatchObject({ problem });
  });

  it.each(["7e", "1.", "-", "-0", "-0.", "2e+"])("delays its error while it may be continued: %s", (text) => {
    expect(readNumber(text)).toMatchObject({ unfinished: true });
  });
});
