import { defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inputs } from "../../src/index.js";

const inputSchema = z.object({
  zone: z.enum(["home", "abroad"]),
  weightKg: z.number().min(0).max(30),
  code: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  even: z.int().refine((value) => value % 2 === 0),
});
const fee = defineDecision({
  id: "fee",
  version: "1.0.0",
  meta: { examples: [{ name: "odd", input: { zone: "mars" }, expect: { status: "INVALID_INPUT" } }] },
  inputSchema,
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({ heavyKg: z.number() }),
  rules: [{ id: "heavy", when: (input, { heavyKg }) => input.weightKg > heavyKg, emit: () => ({ fee: 20 }) }],
});
const profiles = { fee: { heavyKg: 17.25 } };

describe("inputs", () => {
  const made = [...inputs(fee, { profiles, runs: 2000 })];

  it("are valid, and of every kind that the schema allows", () => {
    expect(made.length).toBeGreaterThan(200);
    expect(made.length).toBeLessThan(2000);
    for (const input of made) expect(inputSchema.safeParse(input).success).toBe(true);
    expect(new Set(made.map(({ zone }) => zone))).toEqual(new Set(["home", "abroad"]));
    expect(new Set(made.map(({ code }) => code === undefined))).toEqual(new Set([true, false]));
  });

  it("include the neighbours of what the profile names, which no random number would meet", () => {
    const weights = new Set(made.map(({ weightKg }) => weightKg));
    expect(weights).toContain(17.25);
    expect([...weights].some((weight) => weight > 17.25 && weight < 17.3)).toBe(true);
  });

  it("are the same for the same seed, and others for another one", () => {
    expect([...inputs(fee, { profiles, runs: 2000 })]).toEqual(made);
    expect([...inputs(fee, { profiles, runs: 2000, seed: 2 })]).not.toEqual(made);
  });

  it("begin with the given examples", () => {
    const example = { zone: "home", weightKg: 1, even: 4 } as const;
    const [first] = inputs(fee, { profiles, examples: [{ zone: "mars" }, example] });
    expect(first).toEqual(example);
  });

  it("reject options that do not exist", () => {
    expect(() => [...inputs(fee, { profiles, ...{ run: 1 } })]).toThrow(/run/);
  });
});
