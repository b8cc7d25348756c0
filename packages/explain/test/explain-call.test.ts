import { DecernError, defineDecision } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { explain } from "./run.js";

const node = z.object({
  level: z.int().min(0).max(9),
  get next() {
    return node.optional();
  },
});

const trip = defineDecision({
  id: "trip",
  version: "1",
  inputSchema: z.object({
    born: z.iso.date(),
    bags: z.array(z.object({ kilos: z.number().min(0).max(50) })),
    rebate: z.number().min(0).max(1).nullable(),
    days: z.int().min(1).max(30).default(7),
    chain: node.optional(),
    note: z.string().optional(),
    "a/b~c": z.boolean().optional(),
  }),
  outputSchema: z.object({ price: z.number() }),
  profileSchema: z.object({ adultFrom: z.string().default("2008-06-01") }),
  rules: [
    {
      id: "fails",
      when: ({ days }) => {
        if (days === 30) throw new Error("secret of the rule");
        return false;
      },
      emit: () => ({ price: 0 }),
    },
    { id: "child", when: ({ born }, { adultFrom }) => born > adultFrom, emit: () => ({ price: 1 }) },
    { id: "heavy", when: ({ bags }) => bags.some(({ kilos }) => kilos > 23.5), emit: () => ({ price: 9 }) },
    { id: "long", when: ({ days }) => days >= 14, emit: () => ({ price: 5 }) },
    { id: "deep", when: ({ chain }) => chain?.next?.level === 4, emit: () => ({ price: 6 }) },
    { id: "odd", when: (input) => input["a/b~c"] === true, emit: () => ({ price: 7 }) },
    { id: "rest", when: ({ rebate }) => rebate === null, emit: () => ({ price: 3 }) },
  ],
});

const input = { born: "1990-02-28", bags: [{ kilos: 2 }, { kilos: 20 }], rebate: null };

function nearest(given: unknown, budget = 20_000): Readonly<Record<string, unknown>> {
  const { fields } = explain(trip, given, budget);
  return Object.fromEntries(fields.map(({ path, flips }) => [path, [flips[0]?.to, flips[0]?.matchedRule]]));
}

it("looks into lists, defaults, dates and nested objects, and escapes its pointers", () => {
  expect(nearest({ ...input, chain: { level: 1, next: { level: 2 } } })).toEqual({
    "/born": ["2008-06-02", "child"],
    "/bags/0/kilos": [23.51, "heavy"],
    "/bags/1/kilos": [23.51, "heavy"],
    "/days": [14, "long"],
    "/chain/next/level": [4, "deep"],
    "/a~1b~0c": [true, "odd"],
  });
});

it("knows null, and a field that may be left out", () => {
  const { fields } = explain(trip, { ...input, rebate: 0.5, "a/b~c": true });
  expect(fields.find(({ path }) => path === "/a~1b~0c")?.flips).toMatchObject([
    { to: false, status: "NO_MATCH", changesRule: true, changesOutput: true },
    { status: "NO_MATCH" },
  ]);
  expect(fields.find(({ path }) => path === "/a~1b~0c")?.flips[1]).not.toHaveProperty("to");
  expect(nearest({ ...input, rebate: 0.5 })).toMatchObject({ "/rebate": [null, "rest"] });
});

it("never proposes what fails, but shows where it does", () => {
  const { fields } = explain(trip, { ...input, days: 29 });
  const days = fields.find(({ path }) => path === "/days");
  expect(days?.flips).toMatchObject([{ to: 13, matchedRule: "rest", isNearest: true }]);
  expect(days?.bands).toEqual({
    step: 1,
    exact: true,
    list: [
      { from: 1, to: 13, status: "OK", matchedRule: "rest" },
      { from: 14, to: 29, status: "OK", matchedRule: "long" },
      { from: 30, to: 30, status: "ERROR" },
    ],
  });
});

it("tells the nearest change of the output apart from that of the rule", () => {
  const rates = defineDecision({
    id: "rates",
    version: "1",
    inputSchema: z.object({ score: z.int().min(300).max(850) }),
    outputSchema: z.object({ rate: z.number() }),
    profileSchema: z.object({}),
    rules: [
      { id: "low", when: ({ score }) => score < 620, emit: () => ({ rate: 9 }) },
      { id: "high", when: () => true, emit: ({ score }) => ({ rate: score > 700 ? 3 : 4 }) },
    ],
  });
  expect(explain(rates, { score: 690 }).fields).toMatchObject([
    {
      path: "/score",
      value: 690,
      flips: [
        { to: 701, matchedRule: "high", data: { rate: 3 }, changesRule: false, changesOutput: true },
        { to: 619, matchedRule: "low", data: { rate: 9 }, changesRule: true, changesOutput: true },
      ],
    },
  ]);
});

it("explains nothing of a refused call, and throws the fault of one that fails", () => {
  expect(explain(trip, { born: 3 })).toMatchObject({
    envelope: { status: "INVALID_INPUT" },
    fields: [],
    evaluations: 1,
  });
  expect(() => explain(trip, { ...input, days: 30 })).toThrow(DecernError);
});

it("says when the input has more fields than the budget reaches", () => {
  const bags = Array.from({ length: 40 }, () => ({ kilos: 1 }));
  const { complete, evaluations } = explain(trip, { ...input, bags }, 10);
  expect(complete).toBe(false);
  expect(evaluations).toBeLessThanOrEqual(10);
});

const lending = defineDecision({
  id: "lending",
  version: "1",
  inputSchema: z.object({
    country: z
      .string()
      .length(2)
      .meta({ examples: ["GB"] }),
    n: z.int().min(0).max(9).optional(),
    customer: z.string().optional(),
  }),
  outputSchema: z.object({ ok: z.boolean() }),
  profileSchema: z.object({ blocked: z.array(z.string()).default(["KP", "IR"]) }),
  rules: [
    {
      id: "blocked",
      when: ({ country }, { blocked }) => blocked.includes(country),
      emit: () => ({ ok: false }),
    },
    { id: "nine", when: ({ n }) => n === 9, emit: () => ({ ok: true }) },
    { id: "rest", when: () => true, emit: () => ({ ok: true }) },
  ],
});

it("tries texts of the schema's examples and of the profile, and says that there are others", () => {
  const free = explain(lending, { country: "FR" });
  expect(free.fields.find(({ path }) => path === "/country")?.flips).toMatchObject([
    { to: "KP", matchedRule: "blocked" },
    { to: "IR", matchedRule: "blocked" },
  ]);
  const blocked = explain(lending, { country: "KP" });
  expect(blocked.fields[0]).toMatchObject({ path: "/country", flips: [{ to: "GB", matchedRule: "rest" }] });
  expect(blocked.skipped).toEqual(expect.arrayContaining(["/country", "/customer"]));
  expect(blocked.complete).toBe(false);
});

it("adds an optional field that is absent", () => {
  const { fields } = explain(lending, { country: "FR" });
  expect(fields.find(({ path }) => path === "/n")).toMatchObject({ flips: [{ to: 9, matchedRule: "nine" }] });
});

it("promises nothing of a number of which it tried samples only", () => {
  const one = defineDecision({
    id: "one",
    version: "1",
    inputSchema: z.object({ amount: z.number().min(0).max(1_000_000), days: z.int().min(1).max(30) }),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [
      { id: "needle", when: ({ amount }) => amount === 4321.07, emit: () => ({}) },
      { id: "rest", when: () => true, emit: () => ({}) },
    ],
  });
  const { fields, complete, skipped } = explain(one, { amount: 5, days: 3 });
  expect({ fields, complete, skipped }).toEqual({ fields: [], complete: false, skipped: ["/amount"] });
});

it("is complete where every field was searched in full", () => {
  const flags = defineDecision({
    id: "flags",
    version: "1",
    inputSchema: z.object({ a: z.boolean(), n: z.int().min(0).max(3) }),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "r", when: () => true, emit: () => ({}) }],
  });
  const found = explain(flags, { a: true, n: 1 });
  expect(found.complete).toBe(true);
  expect(found).not.toHaveProperty("skipped");
});

it("reads the input once for each evaluation, however many values it has", () => {
  let reads = 0;
  const counted = z.unknown().transform((value) => {
    reads += 1;
    return value;
  });
  const open = defineDecision({
    id: "open",
    version: "1",
    inputSchema: counted,
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "r", when: () => true, emit: () => ({}) }],
  });
  const { evaluations } = explain(
    open,
    Array.from({ length: 500 }, () => 1),
  );
  expect(reads).toBe(evaluations);
});

it("looks at the first ten thousand values of an input, and says where it stopped", () => {
  const many = z.object({ list: z.array(z.unknown()), yes: z.boolean() });
  const wide = defineDecision({
    id: "wide",
    version: "1",
    inputSchema: many,
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "r", when: () => true, emit: () => ({}) }],
  });
  const listOf = (length: number) => explain(wide, { list: Array.from({ length }, () => []), yes: true });
  // The input, the list and the flag are values too.
  expect(listOf(9997).complete).toBe(true);
  expect(listOf(20_000)).toMatchObject({ complete: false, skipped: ["/list/9998"] });
});
