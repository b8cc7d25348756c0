import fc from "fast-check";
import type { ColumnType, Condition, Scalar, Test } from "../../src/cells/condition.js";
import { between, is, isNull, reference } from "../support.js";

const comparisons = ["<", "<=", ">", ">=", "=", "!="] as const;

const ends = fc.constantFrom("[", "(") satisfies fc.Arbitrary<"[" | "(">;

/** Tests of a column, whose ends are 0 to 4, or `profile.limit`, `profile.word` and `profile.flag`. */
function tests(type: ColumnType): fc.Arbitrary<Test> {
  const nothing = fc.constant(isNull);
  if (type === "text") {
    const values = fc.constantFrom("a", "b", "c", reference("profile", "word"));
    const equal = fc.tuple(fc.constantFrom("=", "!=") satisfies fc.Arbitrary<"=" | "!=">, values);
    return fc.oneof({ weight: 6, arbitrary: equal.map(([operator, value]) => is(operator, value)) }, nothing);
  }
  if (type === "boolean") {
    const values = fc.constantFrom(true, false, reference("profile", "flag"));
    return fc.oneof({ weight: 6, arbitrary: values.map((value) => is("=", value)) }, nothing);
  }
  const number = fc.integer({ min: 0, max: 4 });
  const compared = fc
    .tuple(fc.constantFrom(...comparisons), fc.oneof(number, fc.constant(reference("profile", "limit"))))
    .map(([operator, value]) => is(operator, value));
  const interval = fc
    .tuple(ends, number, number, ends)
    .map(([open, low, high, close]) =>
      between(open, Math.min(low, high), Math.max(low, high), close === "[" ? "]" : ")"),
    );
  return fc.oneof(
    { weight: 4, arbitrary: compared },
    { weight: 4, arbitrary: interval },
    { weight: 1, arbitrary: nothing },
  );
}

export function conditions(type: ColumnType): fc.Arbitrary<Condition> {
  const some = fc
    .record({ isNegated: fc.boolean(), tests: fc.array(tests(type), { minLength: 1, maxLength: 3 }) })
    .map(({ isNegated, tests }): Condition => ({ kind: "tests", isNegated, tests }));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<Condition>({ kind: "any" }) },
    { weight: 4, arbitrary: some },
  );
}

/** Every end that {@link conditions} has, something between any two, and no value. */
export function points(type: ColumnType): readonly (Scalar | null)[] {
  if (type === "text") return ["a", "b", "c", "d", null];
  if (type === "boolean") return [true, false, null];
  return [-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, null];
}
