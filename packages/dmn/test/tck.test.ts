import { describe, expect, it } from "vitest";
import { runLevel } from "./support/tck.js";

const kit = new URL("tck/", import.meta.url).pathname;

/** Why cases of a folder can't pass through JSON. */
const reasons: Readonly<Record<string, string>> = {
  "0076-feel-external-java": "calls Java",
  "0082-feel-coercion": "gives an input of a wrong type, which is INVALID_INPUT",
  "0095-feel-day-of-year-function": "gives a date to an input without a type, where JSON has a text",
  "0096-feel-day-of-week-function": "the same",
  "0097-feel-month-of-year-function": "the same",
};

describe("the technology compatibility kit, through loadDmn and evaluate", () => {
  it("level 2: every case passes", async () => {
    const { failed, total } = await runLevel(kit, "compliance-level-2");
    expect(failed).toEqual([]);
    expect(total).toBe(81);
  });

  it("level 3: every case passes but those with a reason", async () => {
    const { failed, total } = await runLevel(kit, "compliance-level-3");
    expect(failed.filter(({ folder }) => reasons[folder] === undefined)).toEqual([]);
    expect(failed).toHaveLength(14);
    expect(total).toBe(2048);
  });
});
