import { TextPattern } from "@decern/core/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { absent, valueAt, withValue } from "../../src/explore/values/json.js";
import { LiteralCollector } from "../../src/explore/values/literals.js";
import { numberRuler, textRuler } from "../../src/explore/values/ruler.js";
import { Random } from "../../src/explore/values/vocabulary.js";

const settings = { seed: 14, numRuns: 500 };

describe("texts made for a pattern", () => {
  const atom = fc.constantFrom("a", "[A-Z]", "[^x]", "\\d", "\\w", "(?:b|cd)", "(e)", ".", "\\.", "[-_0-9]");
  const times = fc.constantFrom("", "", "?", "*", "+", "{3}", "{2,}", "{0,4}", "+?");
  const sequence = fc.array(fc.tuple(atom, times), { minLength: 1, maxLength: 5 });

  it("match it, whatever follows from nesting and repeating", () => {
    fc.assert(
      fc.property(fc.array(sequence, { minLength: 1, maxLength: 3 }), fc.nat(), (branches, seed) => {
        const source = `^(?:${branches.map((branch) => branch.flat().join("")).join("|")})$`;
        expect(new TextPattern(source, new Random(seed)).sample()).toMatch(new RegExp(source));
      }),
      settings,
    );
  });
});

describe("rulers", () => {
  const instant = fc.date({
    min: new Date("1000-01-01T00:00:00Z"),
    max: new Date("9998-12-31T00:00:00Z"),
    noInvalidDate: true,
  });
  const forms = [
    (text: string) => text.slice(0, 7),
    (text: string) => text.slice(0, 10),
    (text: string) => `${text.slice(0, 19)}Z`,
    (text: string) => text,
    (text: string) => text.slice(11, 16),
  ];

  it("give back what they measured, and keep the order", () => {
    fc.assert(
      fc.property(instant, instant, fc.constantFrom(...forms), (one, other, shape) => {
        const [first, second] = [shape(one.toISOString()), shape(other.toISOString())];
        const ruler = textRuler(first);
        const units = [ruler?.toUnits(first) ?? Number.NaN, ruler?.toUnits(second) ?? Number.NaN] as const;
        expect(ruler?.fromUnits(units[0])).toBe(first);
        expect(units[0] < units[1]).toBe(first < second);
      }),
      settings,
    );
  });

  it("write decimals as short as they are", () => {
    const ruler = numberRuler({}, 2);
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => {
        const number = Number((cents / 100).toFixed(2));
        expect(ruler.fromUnits(ruler.toUnits(number) ?? Number.NaN)).toBe(number === 0 ? 0 : number);
      }),
      settings,
    );
  });
});

describe("changing one place", () => {
  it("changes that place, and not what was there before", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.jsonValue(),
        (input, name, value) => {
          const before = structuredClone(input);
          const changed = withValue(input, [name], value);
          expect(valueAt(changed, [name])).toEqual(value);
          expect(valueAt(withValue(changed, [name], absent), [name])).toBe(absent);
          expect(input).toEqual(before);
        },
      ),
      settings,
    );
  });
});

describe("literals", () => {
  it("are found in the text of a function", () => {
    const literals = new LiteralCollector();
    literals.addSources(
      [
        'n => n > 75_000 && n < 0.4 || /^DE[0-9]{2}/.test(s) && s !== "don\\"t" && t2 === \'x\' && n / 2 / k > 1e-3',
      ],
      [],
    );
    expect([...literals.numbers].sort((one, other) => one - other)).toEqual([0.001, 0.4, 2, 75_000]);
    expect([...literals.texts]).toEqual(['don"t', "x"]);
    expect([...literals.patterns]).toEqual(["^DE[0-9]{2}"]);
  });

  const files = [
    `// it's a comment with "quotes" and 1234
import { VIP as special } from "./limits.js";
const words = new Set(["gold", 'silver']), most = 12_500;
enum Tier { Best = "best" }
const shape = /^[A-Z]\\/"\\d$/u; /* it's 99 */
const isVip = (code: string) => code === special;
const unused = "never", other = { deep: { limit: 0.375 } };`,
    `export const VIP: string = "VIP-1";
const greeting = \`Hello \${VIP + \`it's \${7}\`}\`, plain = \`text\`;`,
  ];

  it("are found beside the function: first those that it means", () => {
    const literals = new LiteralCollector();
    literals.addSources(
      ["(i) => isVip(i.code) || words.has(i.t) || i.x < limit || shape.test(Tier.Best)"],
      files,
    );
    const texts = [...literals.texts];
    const near = ["VIP-1", "gold", "silver", "best"];
    expect(texts.slice(0, near.length).toSorted()).toEqual(near.toSorted());
    expect(texts).toEqual(expect.arrayContaining(["never", "text"]));
    expect(texts.join()).not.toMatch(/it's|comment|quotes|Hello/);
    expect([...literals.patterns]).toEqual(['^[A-Z]\\/"\\d$']);
    expect([...literals.numbers].toSorted((one, other) => one - other)).toEqual([0.375, 7, 12_500]);
  });

  it("are not all taken of a long file, but those that the function means are", () => {
    const table = Array.from({ length: 2_000 }, (_none, index) => `"word ${index}"`);
    const literals = new LiteralCollector();
    literals.addSources(["(i) => i.code === VIP"], [`const table = [${table}];\nconst VIP = "VIP-1"`]);
    expect([...literals.texts][0]).toBe("VIP-1");
    expect(literals.texts.size).toBeLessThan(100);
  });

  it("are read from any text, right or wrong", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "`",
            "${",
            "}",
            "{",
            "/",
            "'",
            '"',
            "\\",
            "//",
            "/*",
            "*/",
            "\n",
            "a",
            "=",
            ":",
            "1e",
            "as",
          ),
          {
            maxLength: 60,
          },
        ),
        (parts) => {
          const source = parts.join("");
          new LiteralCollector().addSources([source], [source]);
        },
      ),
      settings,
    );
  });
});
