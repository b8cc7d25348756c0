import { evaluate, type InputOf } from "@decern/core";
import { program } from "@decern/core/tools";
import { describe, expect, it, vi } from "vitest";
import { checkTable, readTable, type TableForm, writeTable } from "../src/index.js";
import { document, shipping } from "./support/shipping.js";

const input = { zone: "domestic", parcel: { weightKg: 1 }, customer: null, day: "2026-03-01" } as const;

describe("a table in three forms", () => {
  const decision = readTable(shipping, { name: "fee.json", document });

  it("is a decision", () => {
    const inputs: readonly InputOf<typeof decision>[] = [
      input,
      { ...input, parcel: { weightKg: 10 }, express: true, customer: "Ann" },
      { ...input, zone: "abroad", customer: "Bob" },
      { ...input, zone: "eu" },
    ];
    const results = inputs.map((each) =>
      evaluate(decision, each, {}, { now: new Date("2026-06-01T00:00:00Z") }),
    );
    expect(results.map((result) => result.status === "OK" && [result.data, result.meta.matchedRule])).toEqual(
      [
        [{ fee: 4.5, carrier: "post" }, "light"],
        [{ fee: 5, carrier: "air", text: "=free" }, "heavy"],
        [{ fee: 30, carrier: "ship", text: "Two, or more" }, "abroad"],
        [{ fee: 99, carrier: "none" }, "default"],
      ],
    );
    expect(decision.version).toBe("1.2.0");
    expect(decision.ruleDescriptions.get("light")).toBe("Up to two kilograms");
  });

  it("has complete thresholds of all fields that no output is computed from", () => {
    const incomplete = (given: unknown) =>
      readTable(shipping, { name: "fee.json", document: given })
        [program].boundLogic?.()
        ?.thresholds.flatMap(({ path, isComplete }) => (isComplete ? [] : [path]));
    expect(incomplete(document)).toEqual(["/parcel/weightKg"]);
    const rules = document.rules.filter(({ id }) => id !== "heavy");
    expect(incomplete({ ...document, rules })).toEqual([]);
    const otherwise = ["1 + input.parcel.weightKg", "input.zone", ""];
    expect(incomplete({ ...document, rules, default: otherwise })).toEqual(["/zone", "/parcel/weightKg"]);
    const named = [1, "none", "input.customer"];
    const inputs = document.inputs.filter(({ path }) => path !== "customer");
    const withoutCustomer = rules.map((rule) => ({ ...rule, if: rule.if.toSpliced(3, 1) }));
    expect(incomplete({ ...document, inputs, rules: withoutCustomer, default: named })).toEqual([
      "/customer",
    ]);
  });

  it.each<TableForm>(["json", "csv", "xlsx"])("%s: the same document, and the same hash", (form) => {
    const canonical = checkTable(shipping, { name: "fee.json", document }).document;
    if (canonical === undefined) throw new Error("has problems");
    const bytes = writeTable(canonical, form);
    const read = checkTable(shipping, { name: `fee.${form}`, bytes });
    expect(read.problems).toEqual([]);
    expect(read.document).toEqual(canonical);
    expect(read.decision?.contentHash).toBe(decision.contentHash);
  });

  it("has the same hash in a browser", () => {
    const source = { name: "fee.json", document: { ...document, version: "½ 🚚" } };
    const here = readTable(shipping, source).contentHash;
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    expect(readTable(shipping, source).contentHash).toBe(here);
    vi.restoreAllMocks();
  });
});
