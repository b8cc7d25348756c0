import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPointer, toPointer } from "../../src/json/values.js";
import { bandParts, fieldLabel, flipSentence, nearMisses, withValueAt } from "../../src/model/flip-text.js";

const schema = {
  type: "object",
  properties: {
    creditScore: { title: "Credit score", type: "integer" },
    bags: { title: "Bags", type: "array", items: { $ref: "#/$defs/bag" } },
    "a/b": { type: "boolean" },
  },
  $defs: { bag: { type: "object", properties: { kilos: { title: "Weight", type: "number" } } } },
};

const flip = { status: "OK", changesRule: true, changesOutput: true, isNearest: true } as const;

describe("a sentence about a change", () => {
  const say = (path: string, value: unknown, more: object) => {
    const found = { ...flip, ...more };
    const label = fieldLabel(path, schema);
    const { condition, rule = "", consequence } = flipSentence(label, { path, value, flips: [found] }, found);
    return `${condition}${rule}${consequence}.`;
  };

  it("names the field as the form does, both values, and what decides then", () => {
    expect(say("/creditScore", 580, { to: 1620, matchedRule: "standard" })).toBe(
      "With Credit score 1,620 instead of 580, standard decides.",
    );
    expect(say("/bags/1/kilos", 20, { to: 23.51, matchedRule: "heavy" })).toBe(
      "With Bags 2, Weight 23.51 instead of 20, heavy decides.",
    );
  });

  it("says that a field is left out, that no rule matches, and that only the output changes", () => {
    expect(say("/a~1b", true, { status: "NO_MATCH" })).toBe("Without a/b, no rule matches.");
    expect(say("/a~1b", undefined, { to: true, matchedRule: "r", changesRule: false })).toBe(
      "With a/b set to yes, r still decides, with another output.",
    );
  });
});

it("tells of each rule the first change of one field with which it would decide", () => {
  const fields = [
    {
      path: "/creditScore",
      value: 580,
      flips: [
        { ...flip, to: 570, matchedRule: "same", changesRule: false },
        { ...flip, to: 620, matchedRule: "good" },
        { ...flip, to: 100, status: "NO_MATCH" as const },
      ],
      bands: {
        step: 1,
        exact: true,
        list: [
          { from: 300, to: 499, status: "OK" as const, matchedRule: "low" },
          { from: 500, to: 619, status: "OK" as const, matchedRule: "same" },
          { from: 620, to: 739, status: "OK" as const, matchedRule: "good" },
          { from: 740, to: 850, status: "OK" as const, matchedRule: "prime" },
        ],
      },
    },
    {
      path: "/a~1b",
      value: true,
      flips: [
        { ...flip, matchedRule: "good" },
        { ...flip, matchedRule: "toString" },
      ],
    },
  ];
  expect(nearMisses({ fields }, schema)).toEqual({
    low: "With Credit score 499 instead of 580, it would decide.",
    good: "With Credit score 620 instead of 580, it would decide.",
    prime: "With Credit score 740 instead of 580, it would decide.",
    toString: "Without a/b, it would decide.",
  });
});

describe("the bands of a slider", () => {
  const edges = fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 8 })
    .map((inner) => inner.toSorted((one, other) => one - other));

  it("cover it from end to end without gaps, in order", () => {
    fc.assert(
      fc.property(edges, (inner) => {
        const starts = [0, ...inner];
        const list = starts.map((from, index) => ({
          from,
          to: (starts[index + 1] ?? 101) - 1,
          status: "OK",
          matchedRule: `rule-${index}`,
        }));
        const parts = bandParts({ step: 1, exact: true, list }, 0, 100);
        expect(parts[0]?.start).toBe(0);
        for (const [index, { start, length, band }] of parts.entries()) {
          const end = parts[index + 1]?.start ?? 100;
          expect(start + length).toBeCloseTo(end);
          expect(start).toBeLessThanOrEqual(Number(band.from));
          expect(end).toBeGreaterThanOrEqual(Number(band.to));
        }
      }),
    );
  });

  it("stay on the slider, and leave out what is not on it", () => {
    const band = { status: "OK", matchedRule: "r" };
    const list = [
      { ...band, from: -50, to: -10 },
      { ...band, from: -9, to: 500 },
    ];
    expect(bandParts({ step: 1, exact: false, list }, 0, 100)).toMatchObject([{ start: 0, length: 100 }]);
  });
});

describe("a value that is put into an input", () => {
  it("is where the pointer points, and all else stays", () => {
    const key = fc.oneof(fc.constantFrom("a", "a/b", "~", "0", "__proto__"), fc.string());
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.integer()),
        key,
        fc.integer(),
        fc.integer(),
        (before, name, was, now) => {
          const entries = [...Object.entries(before).filter(([other]) => other !== name), [name, [was, was]]];
          const input: unknown = { list: Object.fromEntries(entries) };
          const pointer = toPointer(["list", name, 1]);
          const after = withValueAt(input, pointer, now);
          expect(readPointer(after, pointer)).toBe(now);
          expect(readPointer(input, pointer)).toBe(was);
          expect(readPointer(after, toPointer(["list", name, 0]))).toBe(was);
          expect(withValueAt(after, pointer, was)).toEqual(input);
        },
      ),
    );
  });

  it("is left out when there is none", () => {
    expect(withValueAt({ a: { b: 1, c: 2 } }, "/a/b", undefined)).toEqual({ a: { c: 2 } });
  });
});
