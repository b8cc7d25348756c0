import { evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTable } from "../src/index.js";

const schemas = {
  inputSchema: z.object({
    zone: z.enum(["home", "abroad"]),
    parcel: z.object({ weightKg: z.number().min(0) }),
  }),
  profileSchema: z.object({ base: z.number().default(4) }),
};

describe("defineTable", () => {
  it("makes a decision of cells", () => {
    const fee = defineTable({
      id: "fee",
      version: "1.0.0",
      ...schemas,
      outputSchema: z.object({ fee: z.number(), carrier: z.string() }),
      hitPolicy: "U",
      inputs: ["zone", "parcel.weightKg"],
      outputs: ["fee", "carrier"],
      rules: [
        ["home", "<= 2", 4.5, "post"],
        {
          id: "heavy",
          cells: ["home", "> 2", "profile.base + 0.1 * input.parcel.weightKg", "post"],
          note: "Heavy ones",
        },
      ],
      default: [99, "none"],
    });
    const of = (zone: "home" | "abroad", weightKg: number) => {
      const result = evaluate(fee, { zone, parcel: { weightKg } });
      return result.status === "OK" && [result.data.fee, result.meta.matchedRule];
    };
    expect([of("home", 2), of("home", 3), of("abroad", 1)]).toEqual([
      [4.5, "row-1"],
      [4.3, "heavy"],
      [99, "default"],
    ]);
    expect(fee.ruleDescriptions.get("heavy")).toBe("Heavy ones");
  });

  it("returns rows in the order of priority", () => {
    const carriers = defineTable({
      id: "carriers",
      version: "1",
      ...schemas,
      outputSchema: z.array(z.object({ carrier: z.string() })),
      hitPolicy: "O",
      inputs: ["zone"],
      outputs: ["carrier"],
      priority: { carrier: ["air", "post"] },
      rules: [
        ["-", "post"],
        ["home", "air"],
      ],
    });
    const result = evaluate(carriers, { zone: "home", parcel: { weightKg: 1 } });
    expect(result).toMatchObject({
      status: "OK",
      data: [{ carrier: "air" }, { carrier: "post" }],
      meta: { matchedRule: "row-2" },
    });
  });

  it("refuses what types cannot see", () => {
    const define = (cell: string) => () =>
      defineTable({
        id: "fee",
        version: "1",
        ...schemas,
        outputSchema: z.object({ fee: z.number() }),
        hitPolicy: "U",
        inputs: ["parcel.weightKg"],
        outputs: ["fee"],
        rules: [[cell, 1]],
      });
    expect(define("> 5")).not.toThrow();
    expect(define("< 0")).toThrow(
      expect.objectContaining({
        code: "INVALID_DECISION",
        problems: [{ path: "/rules/0/if/0", message: expect.stringContaining("can never match") }],
      }),
    );
  });
});
