import { type Decision, toJsonSchema } from "@decern/core";
import { Ajv } from "ajv";
import { type } from "arktype";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explore } from "../../src/index.js";
import { decisionOf, witnessesOf } from "./fixtures.js";
import { typeboxSchema } from "./typebox-schema.js";

interface Parcel {
  readonly weight: number;
  readonly speed: "slow" | "fast";
  readonly insured?: number;
  readonly stops: readonly string[];
  readonly to: { readonly country: string; readonly floor: number };
}

const limit = 31;
const rules = {
  // Hidden by what comes after it: nothing heavier than the limit is fast.
  "too-heavy": ({ weight }: Parcel) => weight > limit,
  "heavy-and-fast": ({ weight, speed }: Parcel) => weight > limit && speed === "fast",
  insured: ({ insured }: Parcel) => insured !== undefined && insured >= 500,
  "many-stops": ({ stops }: Parcel) => stops.length > 2,
  abroad: ({ to }: Parcel) => to.country !== "PT",
  "ground-floor": ({ to }: Parcel) => to.floor === 0,
  upstairs: ({ to }: Parcel) => to.floor > 0,
};

const vendors: readonly (readonly [string, Decision])[] = [
  [
    "TypeBox",
    decisionOf(
      "parcel",
      typeboxSchema(
        Type.Object({
          weight: Type.Integer({ minimum: 1, maximum: 200 }),
          speed: Type.Union([Type.Literal("slow"), Type.Literal("fast")]),
          insured: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
          stops: Type.Array(Type.String({ minLength: 1 }), { maxItems: 5 }),
          to: Type.Object({
            country: Type.String({ pattern: "^[A-Z]{2}$" }),
            floor: Type.Integer({ minimum: -3, maximum: 90 }),
          }),
        }),
      ),
      rules,
    ),
  ],
  [
    "Zod",
    decisionOf(
      "parcel",
      z.object({
        weight: z.int().min(1).max(200),
        speed: z.enum(["slow", "fast"]),
        insured: z.int().min(0).max(10_000).exactOptional(),
        stops: z.array(z.string().min(1)).max(5),
        to: z.object({ country: z.string().regex(/^[A-Z]{2}$/), floor: z.int().min(-3).max(90) }),
      }),
      rules,
    ),
  ],
  [
    "ArkType",
    decisionOf(
      "parcel",
      type({
        weight: "1 <= number.integer <= 200",
        speed: "'slow' | 'fast'",
        "insured?": "0 <= number.integer <= 10000",
        stops: "string > 0[] <= 5",
        to: { country: "/^[A-Z]{2}$/", floor: "-3 <= number.integer <= 90" },
      }),
      rules,
    ),
  ],
];

describe.each(vendors)("a decision with schemas of %s", (_vendor, decision) => {
  const found = explore(decision);

  it("is searched through its JSON Schema", () => {
    const unreached = found.rules.filter(({ witness }) => witness === undefined);
    expect(unreached.map(({ ruleId, shadowedBy }) => [ruleId, shadowedBy])).toEqual([
      ["heavy-and-fast", ["too-heavy"]],
    ]);
    // All but the two that exclude one another.
    const ids = Object.keys(rules);
    const pairs = ids.flatMap((first, index) => ids.slice(index + 1).map((second) => `${first} ${second}`));
    const impossible = new Set([
      "ground-floor upstairs",
      ...pairs.filter((pair) => pair.startsWith("heavy-and-fast ")),
    ]);
    expect(found.overlaps.map(({ rules }) => rules.join(" ")).sort()).toEqual(
      pairs.filter((pair) => !impossible.has(pair)).sort(),
    );
    expect(found.noMatch?.input).toMatchObject({ to: { country: "PT" } });
  });

  it("shows thresholds that no text names, each with both neighbours", () => {
    const borders = found.boundaries.map(({ pointer, witnesses }) => [
      pointer,
      ...witnesses.map(({ input }) => at(input, pointer)),
    ]);
    expect(borders).toContainEqual(["/weight", 31, 32]);
    expect(borders).toContainEqual(["/insured", 499, 500]);
    expect(borders).toContainEqual(["/to/floor", -1, 0]);
    expect(borders).toContainEqual(["/to/floor", 0, 1]);
  });

  it("shows inputs that AJV takes", () => {
    const isValid = new Ajv({ strict: false }).compile({ ...toJsonSchema(decision.inputSchema) });
    const wrong = witnessesOf(found).filter((input) => !isValid(input));
    expect(wrong).toEqual([]);
  });
});

function at(input: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
      input,
    );
}
