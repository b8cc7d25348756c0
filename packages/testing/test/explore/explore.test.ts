import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explore } from "../../src/index.js";
import { decisionOf } from "./fixtures.js";

const order = z.object({
  customer: z.object({ name: z.string().min(1).max(60), age: z.int().min(0).max(130) }),
  items: z.array(z.object({ name: z.string().min(1).max(60), price: z.number().min(0).max(5_000) })).max(20),
  note: z.string().max(200).optional(),
});

const shop = decisionOf("shop", order, {
  minor: ({ customer }) => customer.age < 18,
  large: ({ items }) => items.reduce((sum, { price }) => sum + price, 0) > 1_200,
  otherwise: () => true,
});

const ordinary = {
  customer: { name: "Ines", age: 41 },
  items: [{ name: "Lamp", price: 80 }],
};

const runs = 4_000;

describe("explore", () => {
  it("finds the same for the same seed, and may find other witnesses for another one", () => {
    const first = explore(shop, { runs, seed: 7 });
    expect(explore(shop, { runs, seed: 7 })).toEqual(first);
    expect(explore(shop, { runs, seed: 8 }).runs).not.toBe(first.runs);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("reaches every rule with seed %i, without any example", (seed) => {
    expect(explore(shop, { runs, seed }).coverage).toBe(1);
  });

  it("returns plain JSON", () => {
    const found = explore(shop, { runs });
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  it("changes of an example what it must, and nothing else", () => {
    const { rules } = explore(shop, { runs, examples: [ordinary] });
    const [minor, large, otherwise] = rules.map(({ witness }) => witness?.input);
    expect(minor).toEqual({ ...ordinary, customer: { name: "Ines", age: expect.any(Number) } });
    expect(large).toEqual({ ...ordinary, items: [{ name: "Lamp", price: expect.any(Number) }] });
    expect(otherwise).toEqual(ordinary);
    const price: unknown = Reflect.get(Object(large).items[0], "price");
    // A round number, not the last one that a search came by.
    expect(String(price)).toMatch(/^[1-9]\d?0+$/);
  });

  it("has ordinary texts in witnesses, not words of the rules that do not matter there", () => {
    const trip = z.object({ id: z.string(), code: z.string().max(3), country: z.string() });
    const emit = () => ({ ok: true });
    const decision = defineDecision({
      id: "trip",
      version: "1.0.0",
      inputSchema: trip,
      outputSchema: z.object({ ok: z.boolean() }),
      profileSchema: z.object({}),
      rules: [
        { id: "abroad", when: ({ country }) => country === "CH", emit },
        { id: "noted", when: ({ id }) => id.startsWith("minScore"), emit },
        { id: "otherwise", when: () => true, emit },
      ],
    });
    const inputs = explore(decision, { runs }).rules.map(({ witness }) => witness?.input);
    const plain = { id: "example", code: "x", country: "example" };
    expect(inputs).toEqual([
      { ...plain, country: "CH" },
      { ...plain, id: expect.stringMatching(/^minScore/) },
      plain,
    ]);
  });

  it("keeps rules from what is tried next, when they write to their input", () => {
    const vandal = decisionOf("vandal", order, {
      writes: (input) => {
        Object.assign(input.customer, { age: -1 });
        return false;
      },
      otherwise: () => true,
    });
    const { rules } = explore(vandal, { runs, examples: [ordinary] });
    expect(rules[1]?.witness?.input).toEqual(ordinary);
    expect(ordinary.customer.age).toBe(41);
  });

  it("reports a fault once for each rule and kind, with a small input", () => {
    const faulty = decisionOf("faulty", order, {
      "first-item": ({ items }) => {
        const [first] = items;
        if (first === undefined) throw new Error(`no item out of ${items.length}`);
        return first.price > 100;
      },
      otherwise: () => true,
    });
    const { faults } = explore(faulty, { runs, examples: [ordinary] });
    expect(faults).toEqual([
      {
        message: expect.stringContaining('"when" of rule "first-item" threw: no item out of 0'),
        witness: { input: { ...ordinary, items: [] } },
      },
    ]);
  });

  it("needs no JSON Schema where there are examples", () => {
    const dated = decisionOf("dated", z.object({ n: z.number(), text: z.string().transform(Number) }), {
      low: ({ n }) => n < 40,
      high: ({ n }) => n >= 40,
    });
    expect(explore(dated, { runs, examples: [{ n: 1, text: "2" }] }).coverage).toBe(1);
  });

  it("counts no more inputs than it may try", () => {
    expect(explore(shop, { runs: 100 }).runs).toBeLessThanOrEqual(100);
  });

  it("refuses options and profiles that are wrong", () => {
    const limited = defineDecision({
      id: "limited",
      version: "1.0.0",
      inputSchema: order,
      outputSchema: z.object({ ok: z.boolean() }),
      profileSchema: z.object({ limit: z.number() }),
      rules: [{ id: "any", when: () => true, emit: () => ({ ok: true }) }],
    });
    const invalid = expect.objectContaining({ code: "INVALID_OPTIONS" });
    expect(() => explore(limited)).toThrow(invalid);
    expect(() => explore(limited, { profile: { limit: "high" } })).toThrow(invalid);
    expect(() => explore(limited, { profile: { limit: 3 }, runs: 0 })).toThrow(invalid);
    expect(() => explore(shop, JSON.parse('{"budget":1}'))).toThrow(invalid);
    // A host's profiles are those of all of its decisions.
    expect(explore(limited, { profiles: { limited: { limit: 3 }, another: {} }, runs: 50 }).coverage).toBe(1);
  });
});

describe("what explore computes with", () => {
  const root = fileURLToPath(new URL("../../src/explore/", import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );

  // Logarithms, powers and collation differ between versions of Node; clocks and Math.random between runs.
  it.each(sources)("is the same on every machine: %s", (name) => {
    const source = readFileSync(join(root, name), "utf8").replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
    const exact = ["abs", "ceil", "floor", "imul", "max", "min", "round", "trunc"];
    const functions = [...source.matchAll(/Math\.(\w+)/g)].map(([, called]) => called);
    expect(functions.filter((called) => !exact.includes(called ?? ""))).toEqual([]);
    expect(source).not.toMatch(/\*\*[^/]|localeCompare|\bIntl\.|Date\.now|new Date\(\)|performance\./);
  });
});
