import { evaluate } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadDmn } from "../src/index.js";
import { dmn, escaped, input, requiredInput } from "./support/models.js";

type Value = number | string;

interface Cell {
  readonly text: string;
  readonly meets: (value: Value) => boolean;
}

const number = fc.integer({ min: -3, max: 12 });
const word = fc.constantFrom("a", "b", "c d");

const numberCell = fc.oneof(
  fc.constant<Cell>({ text: "-", meets: () => true }),
  number.map((end): Cell => ({ text: `< ${end}`, meets: (value) => Number(value) < end })),
  number.map((end): Cell => ({ text: `>= ${end}`, meets: (value) => Number(value) >= end })),
  number.map((end): Cell => ({ text: `${end}`, meets: (value) => value === end })),
  fc.tuple(number, number, fc.boolean(), fc.boolean()).map(
    ([low, high, isFrom, isTo]): Cell => ({
      text: `${isFrom ? "[" : "("}${low}..${high}${isTo ? "]" : ")"}`,
      meets: (value) =>
        (isFrom ? Number(value) >= low : Number(value) > low) &&
        (isTo ? Number(value) <= high : Number(value) < high),
    }),
  ),
  fc.tuple(number, number).map(
    ([one, other]): Cell => ({
      text: `${one}, ${other}`,
      meets: (value) => value === one || value === other,
    }),
  ),
  // No constants: the index leaves them to be tested.
  number.map((end): Cell => ({ text: `> ${end} + 1`, meets: (value) => Number(value) > end + 1 })),
  number.map((end): Cell => ({ text: `not(${end})`, meets: (value) => value !== end })),
  number.map((end): Cell => ({ text: `? * 2 > ${end}`, meets: (value) => Number(value) * 2 > end })),
);

const wordCell = fc.oneof(
  fc.constant<Cell>({ text: "-", meets: () => true }),
  word.map((one): Cell => ({ text: `"${one}"`, meets: (value) => value === one })),
  fc.tuple(word, word).map(
    ([one, other]): Cell => ({
      text: `"${one}", "${other}"`,
      meets: (value) => value === one || value === other,
    }),
  ),
  word.map((one): Cell => ({ text: `not("${one}")`, meets: (value) => value !== one })),
  fc.constant<Cell>({ text: `starts with(?, "c")`, meets: (value) => `${value}`.startsWith("c") }),
);

function collect(rows: readonly (readonly [Cell, Cell])[]) {
  const rules = rows
    .map(
      (cells, index) =>
        `<rule>${cells.map(({ text }) => `<inputEntry><text>${escaped(text)}</text></inputEntry>`).join("")}<outputEntry><text>${index}</text></outputEntry></rule>`,
    )
    .join("");
  const elements = `${input("n", "number")}${input("w", "string")}<decision name="T" id="t"><variable name="T"/>
    <informationRequirement>${requiredInput("n")}</informationRequirement><informationRequirement>${requiredInput("w")}</informationRequirement>
    <decisionTable hitPolicy="COLLECT"><input><inputExpression><text>n</text></inputExpression></input>
    <input><inputExpression><text>w</text></inputExpression></input><output name="o"/>${rules}</decisionTable></decision>`;
  const [decision] = loadDmn([dmn(elements)]);
  if (decision === undefined) throw new Error("no decision");
  return (n: number, w: string) => {
    const result = evaluate(decision, { n, w });
    return result.status === "OK" ? result.data : result;
  };
}

describe("decision tables of models", () => {
  it.each([10, 24, 70])("%d rows match as their cells say", (length) => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(numberCell, wordCell), { minLength: length, maxLength: length }),
        fc.array(
          fc.tuple(
            fc.oneof(
              number,
              number.map((value) => value + 0.5),
            ),
            fc.constantFrom("a", "b", "c d", "e"),
          ),
          { minLength: 10, maxLength: 10 },
        ),
        (rows, inputs) => {
          const decide = collect(rows);
          for (const [n, w] of inputs) {
            const matching = rows.flatMap(([first, second], index) =>
              first.meets(n) && second.meets(w) ? [index] : [],
            );
            expect(decide(n, w)).toEqual({ T: matching.length === 0 ? null : matching });
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
