import { type Decision, defineDecision, type Logic, type LogicHit, type LogicThreshold } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerOf, explain } from "./run.js";

/** Rows with an interval of hundredths, and a few kinds. Each emits the same for all that it is met by. */
const rowsArb = fc.array(
  fc.record({
    amount: fc.tuple(fc.integer({ min: -300, max: 3000 }), fc.integer({ min: 0, max: 2000 })),
    day: fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 })),
    kinds: fc.subarray(["gold", "silver", "tin"]),
    isNegated: fc.boolean(),
    pays: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
);

type Row = (typeof rowsArb extends fc.Arbitrary<infer Rows extends readonly unknown[]>
  ? Rows
  : never)[number];

interface Input {
  readonly amount: number;
  readonly day: string;
  readonly kind: string;
}

const dayText = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

/** From, until and including. Thresholds have a decimal more than the steps that are told: those lie between two of them. */
function ends([from, length]: readonly [number, number]): readonly [number, number] {
  return [(from * 10 + 5) / 1000, ((from + length) * 10) / 1000];
}

function isMet({ amount, day, kinds, isNegated }: Row, input: Input): boolean {
  const [low, high] = ends(amount);
  return (
    input.amount >= low &&
    input.amount <= high &&
    input.day >= dayText(day[0]) &&
    input.day < dayText(day[0] + day[1]) &&
    kinds.includes(input.kind) !== isNegated
  );
}

const inputSchema = z.object({ amount: z.number(), day: z.iso.date(), kind: z.string() });

function logicOf(rows: readonly Row[], isComplete: boolean): Logic {
  const hit = (row: number): LogicHit => ({ ruleId: `row-${row}`, explanation: `row ${row}` });
  const sorted = <Value extends number | string>(values: readonly Value[]) =>
    [...new Set(values)].sort((one, other) => (one < other ? -1 : 1));
  const thresholds: readonly LogicThreshold[] = [
    { path: "/amount", values: sorted(rows.flatMap(({ amount }) => ends(amount))), isComplete },
    {
      path: "/day",
      values: sorted(rows.flatMap(({ day: [from, length] }) => [dayText(from), dayText(from + length)])),
      isComplete,
    },
    { path: "/kind", values: sorted(rows.flatMap(({ kinds }) => kinds)), isComplete },
  ];
  return {
    content: { hash: `sha256:${"0".repeat(64)}`, mediaType: "application/json", document: {} },
    rules: rows.map((_row, index) => ({ id: `row-${index}` })),
    bind: () => ({
      thresholds,
      hits: () => [],
      decide: (input) => {
        const found = rows.findIndex((row) => isMet(row, inputSchema.parse(input)));
        const own = rows[found];
        return own && { emitted: { pays: own.pays }, hits: [hit(found)], explanation: `row ${found}` };
      },
    }),
  };
}

function decisionOf(rows: readonly Row[], { isComplete = true, schema = inputSchema as z.ZodType } = {}) {
  return defineDecision({
    id: "intervals",
    version: "1",
    inputSchema: schema,
    outputSchema: z.object({ pays: z.number() }),
    profileSchema: z.object({}),
    logic: logicOf(rows, isComplete),
  });
}

const inputArb: fc.Arbitrary<Input> = fc.record({
  amount: fc.integer({ min: -500, max: 6000 }).map((hundredths) => hundredths / 100),
  day: fc.integer({ min: -10, max: 130 }).map(dayText),
  kind: fc.constantFrom("gold", "silver", "tin", "lead"),
});

/** All values where something can change, and some beyond. */
const possible = {
  "/amount": Array.from({ length: 6501 }, (_, index) => (index - 500) / 100),
  "/day": Array.from({ length: 141 }, (_, index) => dayText(index - 10)),
} as const;

function outcomeAt(decision: Decision, input: Input, path: string, value: unknown) {
  const { status, rule, data } = answerOf(decision, { ...input, [path.slice(1)]: value });
  return { status, rule, data };
}

describe("what would change the result of logic with thresholds", () => {
  it("has exact bands of thousands of values, from a few evaluations", () => {
    fc.assert(
      fc.property(rowsArb, inputArb, (rows, input) => {
        const decision = decisionOf(rows);
        // Two ends of each part, of at most 25; a value for each kind; the call as it is.
        const { fields, evaluations, complete } = explain(decision, input, 120);
        expect(complete).toBe(true);
        expect(evaluations).toBeLessThan(120);
        for (const path of ["/amount", "/day"] as const) {
          const all = possible[path].map((value) => ({ value, ...outcomeAt(decision, input, path, value) }));
          const now = outcomeAt(decision, input, path, input[path === "/day" ? "day" : "amount"]);
          const changed = all.filter((one) => one.rule !== now.rule || one.data?.pays !== now.data?.pays);
          const field = fields.find((one) => one.path === path);
          expect(field !== undefined).toBe(changed.length > 0);
          if (field?.bands === undefined) continue;
          expect(field.bands.exact).toBe(true);
          const told = all.map(({ value }) => {
            const [band, second] = field.bands?.list.filter(
              // Holds: ends of bands are values of the field.
              ({ from, to }) => (from as typeof value) <= value && value <= (to as typeof value),
            ) ?? [undefined, undefined];
            return second === undefined ? { status: band?.status, rule: band?.matchedRule } : undefined;
          });
          expect(told).toEqual(all.map(({ status, rule }) => ({ status, rule })));
          const distance = (value: unknown): number =>
            typeof value === "number"
              ? Math.abs(value - input.amount)
              : Math.abs(Date.parse(String(value)) - Date.parse(input.day));
          const nearest = Math.min(...changed.map(({ value }) => distance(value)));
          expect(distance(field.flips[0]?.to)).toBeCloseTo(nearest, 9);
          expect(field.flips[0]?.isNearest).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("tries a text of each kind, and one that no condition names for all others", () => {
    fc.assert(
      fc.property(rowsArb, inputArb, (rows, input) => {
        const decision = decisionOf(rows);
        const { fields, skipped } = explain(decision, input, 500);
        expect(skipped).toBeUndefined();
        const now = outcomeAt(decision, input, "/kind", input.kind);
        const changes = (kind: string) => {
          const { rule, data } = outcomeAt(decision, input, "/kind", kind);
          return rule !== now.rule || data?.pays !== now.data?.pays;
        };
        const named = new Set(rows.flatMap(({ kinds }) => kinds));
        const told = (fields.find(({ path }) => path === "/kind")?.flips ?? []).map(({ to }) => String(to));
        expect(told.filter((kind) => named.has(kind)).sort()).toEqual([...named].filter(changes).sort());
        expect(told.some((kind) => !named.has(kind))).toBe(
          !named.has(input.kind) ? false : changes("copper"),
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe("bands aren't called exact", () => {
  const [row] = fc.sample(rowsArb, { numRuns: 1, seed: 1 });
  const rows: readonly Row[] = (row ?? []).map((one) => ({
    ...one,
    amount: [1000, 1000],
    day: [0, 60],
    kinds: [],
    isNegated: true,
  }));
  const input = { amount: 5, day: dayText(3), kind: "gold" };
  const amountOf = (decision: Decision) =>
    explain(decision, input, 500).fields.find(({ path }) => path === "/amount");

  it("where thresholds are", () => {
    expect(amountOf(decisionOf(rows))?.bands?.exact).toBe(true);
  });

  it.each([
    { where: "the logic says that they don't tell all", given: { isComplete: false } },
    {
      where: "validation changes the field",
      given: {
        schema: z.object({
          ...inputSchema.shape,
          amount: z
            .number()
            .transform((amount) => Math.min(amount, 1000))
            .pipe(z.number()),
        }),
      },
    },
    {
      where: "validation makes another field of it",
      given: {
        schema: inputSchema
          .transform((given) => ({ ...given, kind: given.amount > 50 ? "silver" : given.kind }))
          .pipe(inputSchema),
      },
    },
    {
      where: "validation refuses a value for more than its schema says",
      given: { schema: inputSchema.refine(({ amount }) => amount < 700) },
    },
  ])("where $where", ({ given }) => {
    const field = amountOf(decisionOf(rows, given));
    expect(field?.bands?.list.length).toBeGreaterThan(1);
    expect(field?.bands?.exact).toBe(false);
  });
});
