import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echo } from "./support/decisions.js";
import { setUp } from "./support/set-up.js";

/** Records a call whose input has a masked value and a text. */
async function recorded(secret: string | number, text: string) {
  const { store, log, evaluator } = setUp({ mask: { echo: ["/input/secret"] } });
  await evaluator.evaluate(echo, { input: { secret, text, list: [{ same: secret }, { [text]: 1 }] } });
  await log.close();
  const [record] = store.records;
  const { input, result } = record?.payload ?? {};
  return {
    masked: record?.masked ?? [],
    input,
    texts: textsIn([input, Reflect.get(Object(result), "data")]),
  };
}

/** Every text and number of a value, with the names of members. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [`${value}`];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(textsIn)];
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
const word = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
const separator = fc.constantFrom(" ", ", ", "-", "/", ". ", ": ", '"', "'s ", "(", "\n");

/**
 * The promise, in the words of a regular expression, in any case: names are found as whole words, from four letters on within words
 * too, and with white space in between; from eight letters on, that also within words.
 */
function isNamedIn(name: string, text: string): boolean {
  const has = (pattern: string, edge: string) => new RegExp(`${edge}${pattern}${edge}`, "i").test(text);
  if (name.length < 4) return has(name, "\\b");
  return has(name, "") || has([...name].join("\\s*"), name.length < 8 ? "\\b" : "");
}

describe("an ordinary name that is masked", () => {
  /** Names as they are, in other letters, and within other words. */
  const mentions = (name: string) =>
    fc.oneof(
      fc.constantFrom(name, name.toUpperCase(), name.toLowerCase()),
      fc.tuple(word(0, 2), fc.constantFrom(name, name.slice(1)), word(0, 2)).map((parts) => parts.join("")),
      word(1, 12),
    );
  const pairs = word(2, 12)
    .filter((name) => !["list", "same", "text", "secret", "input"].some((known) => isNamedIn(name, known)))
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc
          .array(fc.tuple(mentions(name), separator), { minLength: 1, maxLength: 4 })
          .map((all) => all.flat().join("")),
      ),
    );

  it("is hidden wherever it is a word, within words from four letters on, and nothing else is", async () => {
    const seen = { hidden: 0, kept: 0 };
    await fc.assert(
      fc.asyncProperty(pairs, async ([name, text]) => {
        const { masked, input, texts } = await recorded(name, text);
        const isHidden = isNamedIn(name, text);
        seen[isHidden ? "hidden" : "kept"] += 1;
        expect(texts.filter((one) => isNamedIn(name, one))).toEqual([]);
        expect(masked.includes("/input/text")).toBe(isHidden);
        if (!isHidden) expect(input).toEqual({ text, list: [{}, { [text]: 1 }] });
      }),
    );
    expect(Math.min(seen.hidden, seen.kept)).toBeGreaterThan(5);
  });

  it.each([
    ["its initials", "Ada Byron", "approved for A. B."],
    ["a part of it", "Ada Byron", "approved for Ada"],
    ["other letters for the same name", "Müller", "approved for Mueller"],
    ["letters with something between them", "Ada", "approved for A-d-a"],
  ])("is not known by %s: these are to be masked too", async (_what, name, text) => {
    expect((await recorded(name, text)).input).toMatchObject({ text });
  });
});

describe("an ordinary number that is masked", () => {
  const number = fc.oneof(
    fc.integer({ min: -9999, max: 9_999_999 }),
    fc.integer({ min: -99_999, max: 99_999_999 }).map((cents) => cents / 100),
  );
  /** As people and programs write numbers. */
  const written = (value: number) =>
    fc.constantFrom(
      `${value}`,
      `${Math.abs(value)}`,
      value.toFixed(2),
      ...["en-US", "de-DE", "de-CH", "fr-FR", "en-IN", "pl-PL"].flatMap((locale) => [
        value.toLocaleString(locale),
        value.toLocaleString(locale, { style: "currency", currency: "EUR" }),
      ]),
    );

  it("is hidden in every usual way to write it", async () => {
    const pairs = number.chain((value) =>
      fc.tuple(fc.constant(value), written(value), word(1, 5), word(1, 5)),
    );
    await fc.assert(
      fc.asyncProperty(pairs, async ([value, text, before, after]) => {
        const { masked, input } = await recorded(value, `${before} ${text} ${after}`);
        expect(masked).toContain("/input/text");
        // An item of a list leaves a null.
        expect(input).toEqual({ list: [{}, null] });
      }),
    );
  });

  it("hides no other whole number, also with its digits in it", async () => {
    const others = fc.tuple(fc.nat({ max: 9999 }), fc.nat({ max: 99 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(others, async ([value, more, isBefore]) => {
        const other = Number(isBefore ? `1${more}${value}` : `${value}${more}`);
        fc.pre(other !== value);
        const text = `no more than ${other} a year`;
        const { input } = await recorded(value, text);
        expect(input).toMatchObject({ text });
      }),
    );
  });

  it.each([
    ["rounded", 68_250, "about 68000"],
    ["in another unit", 68_000, "68k a year"],
    ["in words", 12, "twelve"],
    ["as a share", 0.25, "25 %"],
    ["within a date", 12, "on 12.03.2026"],
  ])("is not known %s: this is to be masked too", async (_what, value, text) => {
    expect((await recorded(value, text)).input).toMatchObject({ text });
  });
});
