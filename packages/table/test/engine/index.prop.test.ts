import fc from "fast-check";
import { expect, it } from "vitest";
import type { ColumnType, Condition } from "../../src/cells/condition.js";
import { dimensionsOf } from "../../src/engine/dimensions.js";
import { IndexMatcher } from "../../src/engine/index-matcher.js";
import { type Matcher, RowMatcher } from "../../src/engine/matcher.js";
import type { TableModel } from "../../src/model.js";
import { any, between, column, is, modelOf, not, type RowParts, reference, when } from "../support/models.js";
import { conditions, points } from "./arbitraries.js";

const types = ["number", "text", "boolean", "number"] as const satisfies readonly ColumnType[];

const columns = types.map((type, place) => column(`of.c${place}`, { type, isNullable: true }));

const instants = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });

const referring: fc.Arbitrary<Condition> = fc
  .constantFrom("<", "=", "!=" as const)
  .map((operator) => when(is(operator as "<" | "=" | "!=", reference("input", "of.c0"))));

const rows: fc.Arbitrary<RowParts> = fc
  .tuple(
    ...types.map((type) =>
      fc.oneof({ weight: 9, arbitrary: conditions(type) }, { weight: 1, arbitrary: referring }),
    ),
    instants,
    instants,
  )
  .map((parts) => {
    const [fromMs, untilMs] = [parts[4], parts[5]] as (number | undefined)[];
    return {
      if: parts.slice(0, 4) as Condition[],
      out: [1],
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(untilMs === undefined ? {} : { untilMs }),
    };
  });

const inputs = fc
  .tuple(...types.map((type) => fc.constantFrom<unknown>(...points(type), undefined, "z", {}, 7)))
  .map((values) => ({ of: Object.fromEntries(values.map((value, place) => [`c${place}`, value])) }));

function rowsOf(matcher: Matcher, input: unknown, now: number): readonly number[] {
  const matches = matcher.match(input, { limit: 2, word: "b", flag: true }, now);
  const found: number[] = [];
  for (let row = matches.next(); row !== -1; row = matches.next()) found.push(row);
  return found;
}

function matchersOf(model: TableModel): readonly [RowMatcher, IndexMatcher] {
  const dimensions = dimensionsOf(model);
  const { length } = model.rows;
  return [new RowMatcher(dimensions, length), new IndexMatcher(dimensions, length)];
}

it("finds the rows that closures find, on small tables of every kind of condition", () => {
  fc.assert(
    fc.property(
      fc.array(rows, { maxLength: 70 }),
      fc.array(inputs, { minLength: 5, maxLength: 10 }),
      fc.integer({ min: -1, max: 5 }),
      (list, calls, now) => {
        const [closures, index] = matchersOf(modelOf("C", columns, list));
        for (const input of calls) expect(rowsOf(index, input, now)).toEqual(rowsOf(closures, input, now));
      },
    ),
    { numRuns: 2000 },
  );
});

/** Numbers below a limit, the same for the same seed. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Rows that begin and end at many places, keys that few rows have, and neighbours that have a cell in common. */
function largeModel(random: (limit: number) => number, size: number): TableModel {
  const own = [
    column("wide"),
    column("key", { type: "text" }),
    column("group"),
    column("bound", { isNullable: true }),
  ];
  const rows = Array.from({ length: size }, (_row, at): RowParts => {
    const low = random(5000);
    const wide = when(between("[", low, low + random(3000), random(2) === 0 ? ")" : "]"));
    const key = random(3) > 0 ? any : (random(2) > 0 ? when : not)(is("=", `k${random(size / 4)}`));
    const group = random(8) === 0 ? any : when(is("=", Math.floor(at / 100)));
    const bound = random(2) === 0 ? any : when(is(random(2) === 0 ? "<" : ">=", random(50)));
    return { if: [wide, key, random(2) === 0 ? any : group, bound], out: [1] };
  });
  return modelOf("C", own, rows);
}

it.each([24, 700, 3000])("finds the rows that closures find, on tables of %d rows", (size) => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const random = randomOf(seed);
    const [closures, index] = matchersOf(largeModel(random, size));
    for (let call = 0; call < 100; call += 1) {
      const bound = random(5) === 0 ? null : random(52);
      const key = `k${random(size / 4)}`;
      const input = { wide: random(16_000) / 2, key, group: random(size / 50), bound };
      expect(rowsOf(index, input, 0)).toEqual(rowsOf(closures, input, 0));
    }
  }
});

it("finds the rows that closures find, where columns leave more rows together than each promises", () => {
  const names = ["one", "same", "again", "narrow"];
  const random = randomOf(7);
  const rows = Array.from({ length: 3000 }, (): RowParts => {
    const low = random(900);
    const wide = when(between("[", low, low + 100, "]"));
    return { if: [wide, wide, wide, when(is("=", random(20)))], out: [1] };
  });
  const [closures, index] = matchersOf(
    modelOf(
      "C",
      names.map((name) => column(name)),
      rows,
    ),
  );
  for (let call = 0; call < 200; call += 1) {
    const one = random(1000);
    const input = { one, same: one, again: one, narrow: random(20) };
    expect(rowsOf(index, input, 0)).toEqual(rowsOf(closures, input, 0));
  }
});
