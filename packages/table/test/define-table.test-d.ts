import type { Decision, OutputOf } from "@decern/core";
import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineTable, readTable, tableContract } from "../src/index.js";

const schemas = {
  inputSchema: z.object({
    zone: z.enum(["home", "abroad"]),
    parcel: z.object({ weightKg: z.number(), isFragile: z.boolean().optional() }),
    name: z.string().nullable(),
  }),
  outputSchema: z.object({ fee: z.number(), carrier: z.enum(["post", "air"]), text: z.string().optional() }),
  profileSchema: z.object({ base: z.number().default(1) }),
};

const head = { id: "fee", version: "1.0.0", hitPolicy: "U", ...schemas } as const;

it("has the types of its schemas", () => {
  const table = defineTable({
    ...head,
    inputs: ["zone", "parcel.weightKg", "parcel.isFragile", "name"],
    outputs: ["fee", "carrier", "text"],
    rules: [
      ["home", "<= 2", true, null, 4.5, "post", ""],
      ["not(home)", 5, "-", "Ann, Bob", "profile.base * 2", "profile.carrier", "any text"],
      { id: "rest", cells: ["-", "-", null, "-", 1, "air", "x"], note: "n", from: "2026-01-01" },
    ],
    default: [1, "post", ""],
  });
  expectTypeOf(table).toExtend<
    Decision<
      {
        zone: "home" | "abroad";
        parcel: { weightKg: number; isFragile?: boolean | undefined };
        name: string | null;
      },
      { fee: number; carrier: "post" | "air"; text?: string | undefined },
      { base?: number | undefined },
      "fee"
    >
  >();
});

it("checks paths and cells", () => {
  // @ts-expect-error not a path of the input
  defineTable({ ...head, inputs: ["parcel.weight"], outputs: ["fee"], rules: [["-", 1]] });
  // @ts-expect-error an object, and not a single value
  defineTable({ ...head, inputs: ["parcel"], outputs: ["fee"], rules: [["-", 1]] });
  // @ts-expect-error not a path of the output
  defineTable({ ...head, inputs: ["zone"], outputs: ["fees"], rules: [["-", 1]] });
  // @ts-expect-error a number in a column of texts
  defineTable({ ...head, inputs: ["zone"], outputs: ["fee"], rules: [[5, 1]] });
  // @ts-expect-error null where there is none
  defineTable({ ...head, inputs: ["zone"], outputs: ["fee"], rules: [[null, 1]] });
  // @ts-expect-error not a member of the enum
  defineTable({ ...head, inputs: ["zone"], outputs: ["carrier"], rules: [["home", "ship"]] });
  // @ts-expect-error a boolean in a column of numbers
  defineTable({ ...head, inputs: ["zone"], outputs: ["fee"], rules: [["home", true]] });
  // @ts-expect-error a cell too few
  defineTable({ ...head, inputs: ["zone"], outputs: ["fee"], rules: [["home"]] });
  // @ts-expect-error a cell too many
  defineTable({ ...head, inputs: ["zone"], outputs: ["fee"], rules: [["home", 1, 2]] });
});

it("takes paths of items where the output is a list", () => {
  const outputSchema = z.array(z.object({ fee: z.number() }));
  const table = defineTable({
    ...head,
    outputSchema,
    hitPolicy: "C",
    inputs: ["zone"],
    outputs: ["fee"],
    rules: [["-", 1]],
  });
  expectTypeOf<OutputOf<typeof table>>().toEqualTypeOf<{ fee: number }[]>();
});

it("reads a file as the decision of the contract", () => {
  const contract = tableContract({ id: "fee", ...schemas });
  const table = readTable(contract, { name: "fee.csv", bytes: new Uint8Array() });
  expectTypeOf(table.id).toEqualTypeOf<"fee">();
});
