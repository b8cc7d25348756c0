import { defineDecision, withProfile } from "@decern/core";
import { z } from "zod";
import { decisionOf, type Planted, planted } from "./fixtures.js";

const whole = z.object({ x: z.int().min(0).max(1_000) });
const amount = z.object({ amount: z.number().min(0).max(10_000) });
const always = (): boolean => true;

const adult = defineDecision({
  id: "exactly-the-limit",
  version: "1.0.0",
  inputSchema: z.object({ age: z.int().min(0).max(130) }),
  outputSchema: z.object({ answer: z.string() }),
  profileSchema: z.object({ limit: z.int() }),
  rules: [
    { id: "below", when: ({ age }, { limit }) => age < limit, emit: () => ({ answer: "below" }) },
    { id: "above", when: ({ age }, { limit }) => age > limit, emit: () => ({ answer: "above" }) },
  ],
});

const band = decisionOf("band", whole, { low: ({ x }) => x < 317, high: always });
const usesBand = defineDecision({
  id: "uses-another",
  version: "1.0.0",
  inputSchema: z.object({ x: z.int().min(0).max(1_000), urgent: z.boolean() }),
  outputSchema: z.object({ answer: z.string() }),
  profileSchema: z.object({}),
  uses: [band],
  rules: [
    {
      id: "low-and-urgent",
      when: ({ x, urgent }, _profile, context) => {
        const result = context.evaluate(band, { x });
        return urgent && result.status === "OK" && result.meta.matchedRule === "low";
      },
      emit: () => ({ answer: "now" }),
    },
    { id: "high", when: ({ x }) => x >= hidden(317), emit: () => ({ answer: "later" }) },
  ],
});

/** The rule's text names what it is given: this one is given what it does not name. */
function hidden(number: number): number {
  return number;
}

const day = z.object({ day: z.iso.date() });
const item = z.object({ price: z.int().min(0).max(500), quantity: z.int().min(1).max(9) });
const flags = z.object({
  a: z.boolean(),
  b: z.boolean(),
  c: z.boolean(),
  d: z.boolean(),
  e: z.boolean(),
  f: z.boolean(),
});
const person = z.object({ id: z.string().min(1).max(40), role: z.enum(["staff", "admin"]) });
const payment = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("card"), digits: z.string().regex(/^\d{4}$/) }),
  z.object({ kind: z.literal("cash"), amount: z.number().min(0) }),
  z.object({ kind: z.literal("voucher"), code: z.string().min(1) }),
]);

function total(items: readonly z.infer<typeof item>[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}

/** Made-up decisions, each with mistakes that somebody planted in it, or none. */
export const plantedDecisions: readonly Planted[] = [
  planted(
    "the-wrong-order",
    whole,
    { "over-10": ({ x }) => x > 10, "over-20": ({ x }) => x > 20, otherwise: always },
    { unreached: { "over-20": ["over-10"] }, overlaps: ["over-10 over-20"] },
  ),
  planted(
    "neither-below-nor-above",
    whole,
    { below: ({ x }) => x < 217, above: ({ x }) => x > 217 },
    { gap: true },
  ),
  planted(
    "both-at-once",
    whole,
    { "up-to": ({ x }) => x <= 613, from: ({ x }) => x >= 613 },
    { overlaps: ["up-to from"] },
  ),
  planted(
    "between-the-cents",
    amount,
    { cheap: ({ amount }) => amount <= 99.99, dear: ({ amount }) => amount >= 100 },
    { gap: true },
  ),
  planted(
    "half-a-unit",
    amount,
    {
      large: ({ amount }) => amount >= 1_000,
      "nearly-large": ({ amount }) => amount >= 999.5,
      otherwise: always,
    },
    { overlaps: ["large nearly-large"] },
  ),
  planted(
    "one-combination-of-64",
    flags,
    { most: ({ a, b, c, d, e, f }) => !(a && b && c && !d && e && !f) },
    { gap: true },
  ),
  planted(
    "three-things-at-once",
    z.object({
      region: z.enum(["north", "south", "east", "west"]),
      tier: z.enum(["bronze", "silver", "gold", "none"]),
      channel: z.enum(["phone", "web", "shop", "post"]),
    }),
    {
      special: ({ region, tier, channel }) => region === "east" && tier === "gold" && channel === "post",
      otherwise: always,
    },
    {},
  ),
  planted(
    "a-forgotten-status",
    z.object({ status: z.enum(["new", "open", "held", "closed", "void"]) }),
    {
      active: ({ status }) => ["new", "open"].includes(status),
      done: ({ status }) => ["closed", "void"].includes(status),
    },
    { gap: true },
  ),
  planted(
    "the-owner-who-is-an-admin",
    z.object({ user: person, owner: z.string().min(1).max(40) }),
    {
      owner: ({ user, owner }) => user.id === owner,
      admin: ({ user }) => user.role === "admin",
      otherwise: always,
    },
    { overlaps: ["owner admin"] },
  ),
  planted(
    "a-day-between-the-years",
    day,
    {
      before: ({ day }) => day < "2024-01-01",
      during: ({ day }) => day >= "2024-01-01" && day < "2025-01-01",
      after: ({ day }) => day > "2025-01-01",
    },
    { gap: true },
  ),
  planted(
    "a-sum-over-a-list",
    z.object({ items: z.array(item).max(20) }),
    { small: ({ items }) => total(items) < 100, large: ({ items }) => total(items) > 100 },
    { gap: true },
  ),
  planted(
    "exactly-three",
    z.object({ names: z.array(z.string().min(1)).max(12) }),
    { few: ({ names }) => names.length < 3, many: ({ names }) => names.length > 3 },
    { gap: true },
  ),
  planted(
    "nothing-given",
    z.object({ price: z.int().min(0).max(900), discount: z.int().min(0).max(100).optional() }),
    {
      half: ({ discount }) => discount !== undefined && discount >= 50,
      less: ({ discount }) => discount !== undefined && discount < 50,
    },
    { gap: true },
  ),
  planted(
    "null-and-zero",
    z.object({ balance: z.number().nullable() }),
    {
      unknown: ({ balance }) => balance === null,
      credit: ({ balance }) => balance !== null && balance > 0,
      debit: ({ balance }) => balance !== null && balance < 0,
    },
    { gap: true },
  ),
  planted(
    "no-rule-for-vouchers",
    z.object({ payment }),
    {
      card: ({ payment }) => payment.kind === "card",
      cash: ({ payment }) => payment.kind === "cash" && payment.amount < 10_000,
      "a-lot-of-cash": ({ payment }) => payment.kind === "cash",
    },
    { gap: true, overlaps: ["cash a-lot-of-cash"] },
  ),
  { decision: withProfile(adult, { limit: 21 }), gap: true },
  { decision: usesBand, gap: true },
  planted(
    "five-bands",
    whole,
    {
      one: ({ x }) => x < 83,
      two: ({ x }) => x >= 83 && x < 179,
      three: ({ x }) => x >= 179 && x < 180,
      four: ({ x }) => x >= 180 && x < 911,
      five: ({ x }) => x >= 911,
    },
    {},
  ),
  planted(
    "two-cover-a-third",
    whole,
    { "first-half": ({ x }) => x < 500, "second-half": ({ x }) => x >= 500, even: ({ x }) => x % 2 === 0 },
    {
      unreached: { even: ["first-half", "second-half"] },
      overlaps: ["first-half even", "second-half even"],
    },
  ),
  planted(
    "the-first-of-none",
    z.object({ prices: z.array(z.int().min(0).max(500)).max(5) }),
    {
      dear: ({ prices }) => {
        const first = prices[0];
        if (first === undefined) throw new RangeError("there is no first price");
        return first > 300;
      },
      otherwise: always,
    },
    { faults: 1 },
  ),
  planted(
    "a-code-with-two-meanings",
    z.object({ code: z.string().regex(/^[A-Z]{3}-[0-9]{4}$/) }),
    {
      low: ({ code }) => Number(code.slice(4)) < 5_000,
      early: ({ code }) => code < "M",
      otherwise: always,
    },
    { overlaps: ["low early"] },
  ),
  planted(
    "long-and-short",
    z.object({ text: z.string().max(200) }),
    { short: ({ text }) => text.length < 37, long: ({ text }) => text.length > 37 },
    { gap: true },
  ),
];
