import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FeelSyntaxError } from "../src/syntax/node.js";
import { Grammar } from "../src/syntax/parse.js";

const grammar = new Grammar({});

/** Without the places, which parentheses move. */
function form(text: string): string {
  return JSON.stringify(grammar.expression(text), (key, part: unknown) => (key === "at" ? undefined : part));
}

/** An expression as it is written without parentheses that it doesn't need, and with all. */
interface Written {
  readonly plain: string;
  readonly full: string;
  /** How strongly it binds. */
  readonly level: number;
}

const atom = fc
  .constantFrom("x", "y", '"t"', "f(1)", "[1, 2]", "[1..2]", "x.y", "x[1]", "null")
  .map((text): Written => ({ plain: text, full: text, level: 10 }));

/** A part of what binds at a level, in parentheses where it binds less. */
function within(part: Written, level: number): string {
  return part.level < level ? `(${part.plain})` : part.plain;
}

/** Joins parts that are joined from the left. */
function binary(operator: string, level: number) {
  return (left: Written, right: Written): Written => ({
    plain: `${within(left, level)} ${operator} ${within(right, level + 1)}`,
    full: `(${left.full}) ${operator} (${right.full})`,
    level,
  });
}

const levels: readonly (readonly [level: number, operators: readonly string[]])[] = [
  [1, ["or"]],
  [2, ["and"]],
  [3, ["=", "!=", "<", "<=", ">", ">=", "in", "in >", "in <=", "in !="]],
  [4, ["+", "-"]],
  [5, ["*", "/"]],
  [6, ["**"]],
];

const expression = fc.letrec<{ any: Written }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, depthSize: "large" },
    atom,
    ...levels.map(([level, operators]) =>
      fc
        .tuple(fc.constantFrom(...operators), tie("any"), tie("any"))
        .map(([operator, left, right]) => binary(operator, level)(left, right)),
    ),
    fc.tuple(tie("any"), tie("any"), tie("any")).map(
      ([value, low, high]): Written => ({
        plain: `${within(value, 3)} between ${within(low, 4)} and ${within(high, 4)}`,
        full: `(${value.full}) between (${low.full}) and (${high.full})`,
        level: 3,
      }),
    ),
    tie("any").map((of): Written => ({ plain: `-${within(of, 7)}`, full: `-(${of.full})`, level: 7 })),
    tie("any").map(
      (of): Written => ({
        plain: `${within(of, 8)} instance of number`,
        full: `(${of.full}) instance of number`,
        level: 8,
      }),
    ),
  ),
})).any;

describe("operators", () => {
  it("bind as the specification says: an expression needs no more parentheses", () => {
    fc.assert(
      fc.property(expression, ({ plain, full }) => {
        expect(form(plain)).toBe(form(full));
      }),
      { numRuns: 2000 },
    );
  });

  it("few enough to fit on the stack, whichever way they are nested", () => {
    const joined = (count: number) => Array.from({ length: count }, () => "x").join(" or ");
    expect(() => grammar.expression(`${joined(100)} in ${joined(100)}`)).not.toThrow();
    expect(() => grammar.expression(joined(1000))).toThrow(FeelSyntaxError);
    expect(() => grammar.expression(`${joined(200)} in ${joined(200)}`)).toThrow(FeelSyntaxError);
  });
});
