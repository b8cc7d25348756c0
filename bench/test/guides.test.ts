import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Decision, evaluate } from "@decern/core";
import { defineTable } from "@decern/table";
import { evaluateUnaryExpressionSync, ZenEngine } from "@gorules/zen-engine";
import { Engine, type RuleProperties } from "json-rules-engine";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";

// In this folder, which can import the packages.
const folder = mkdtempSync(fileURLToPath(new URL("./.guides-", import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pageOf = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

/** Writes the files that a page shows, and returns their texts and how to import one. */
function filesOf(page: string) {
  const place = mkdtempSync(resolve(folder, "page-"));
  const files: Readonly<Record<string, string>> = Object.fromEntries(
    [...page.matchAll(/^```\w+ title="([^"]+)"\n(.*?)^```$/gms)].map(([, title = "", text = ""]) => [
      title,
      text,
    ]),
  );
  for (const [name, text] of Object.entries(files)) writeFileSync(resolve(place, name), text);
  return {
    textOf: (name: string) => files[name] ?? "",
    importOf: (name: string) => import(resolve(place, name)),
  };
}

/** The rows of the table with this heading, their cells without back-ticks. */
function rowsOf(page: string, heading: string): readonly (readonly string[])[] {
  const after = page.slice(page.indexOf(heading)).split("\n").slice(2);
  const end = after.findIndex((line) => !line.startsWith("|"));
  return after.slice(0, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) =>
        cell
          .trim()
          .replace(/^`(.*)`$/, "$1")
          .replaceAll("\\|", "|"),
      ),
  );
}

/** Whether a cell of a table meets a value. */
function meets(cell: string, value: number | string): boolean {
  const x = typeof value === "number" ? z.number() : z.string();
  const decision = defineTable({
    id: "one-cell",
    version: "1.0.0",
    inputSchema: z.object({ x, profile: z.number().optional() }),
    outputSchema: z.object({ met: z.boolean() }),
    profileSchema: z.object({ min: z.number() }),
    hitPolicy: "F",
    inputs: ["x"],
    outputs: ["met"],
    rules: [[cell, true]],
  });
  return evaluate(decision, { x: value }, { min: 5 }).status === "OK";
}

const inputs = ["home", "eu", "world"].flatMap((zone) =>
  [0, 1.5, 19.99, 20, 20.01, 500].map((weightKg) => ({ zone, parcel: { weightKg } })),
);

function dataOf(decision: Decision, input: unknown): unknown {
  const result = evaluate(decision, input);
  return result.status === "OK" ? result.data : result.status;
}

describe("Coming from json-rules-engine", () => {
  const page = pageOf("from-json-rules-engine.md");

  it("shows the same rules three times", async () => {
    const { textOf, importOf } = filesOf(page);
    const { fromTable } = await importOf("contract.ts");
    const { fromCode } = await importOf("decision.ts");
    const rules: RuleProperties[] = JSON.parse(textOf("rules.json"));
    for (const input of inputs) {
      const engine = new Engine(rules);
      engine.on("success", () => void engine.stop());
      const { events } = await engine.run({ ...input, limits: { bulkyKg: 20 } });
      expect(dataOf(fromTable, input)).toEqual(events[0]?.params);
      expect(dataOf(fromCode, input)).toEqual(events[0]?.params);
    }
  });

  const operators = rowsOf(page, "| json-rules-engine | In code | In a cell |").map(
    ([condition = "", code = "", cell = ""]) => {
      const [, operator = "", value = ""] = /^(\w+) (.*)$/.exec(condition) ?? [];
      return { operator, value: JSON.parse(value), code, cell };
    },
  );

  it("names every operator of it", () => {
    // Its documentation lists these ten.
    expect(new Set(operators.map(({ operator }) => operator)).size).toBe(10);
  });

  it.each(operators)("translates $operator", async ({ operator, value, code, cell }) => {
    const isList = operator.toLowerCase().includes("contain");
    const values = isList
      ? [["eu"], ["home"], []]
      : typeof value === "number"
        ? [4, 5, 6]
        : ["eu", "world", "home"];
    for (const x of values) {
      const rule = { conditions: { all: [{ fact: "x", operator, value }] }, event: { type: "met" } };
      const { events } = await new Engine([rule]).run({ x });
      const isMet = events.length === 1;
      expect(new Function("x", `return ${code}`)(x), `${code} for ${x}`).toBe(isMet);
      if (!Array.isArray(x)) expect(meets(cell, x), `${cell} for ${x}`).toBe(isMet);
      else expect(cell).toBe("none");
    }
  });

  it("says what json-rules-engine makes of a text where a number belongs", async () => {
    const rule = {
      conditions: { all: [{ fact: "x", operator: "lessThan", value: 6 }] },
      event: { type: "met" },
    };
    expect((await new Engine([rule]).run({ x: "5" })).events).toHaveLength(1);
  });
});

describe("Coming from GoRules", () => {
  const page = pageOf("from-gorules.md");

  it("shows the same table twice", async () => {
    const { textOf, importOf } = filesOf(page);
    const { decision } = await importOf("contract.ts");
    const zen = new ZenEngine().createDecision(JSON.parse(textOf("fee.jdm.json")));
    for (const input of inputs) {
      const { result } = await zen.evaluate(input);
      expect(dataOf(decision, input)).toEqual(result);
    }
    // The row `home` reads no weight.
    expect(await zen.evaluate({ zone: "home" })).toMatchObject({ result: { fee: 4.5 } });
    expect(dataOf(decision, { zone: "home" })).toBe("INVALID_INPUT");
  });

  /** The cells that the page calls the same in both. */
  const [, shared = ""] = /^The same in both: (.*), and empty cells\.$/m.exec(page) ?? [];
  const same = [...shared.matchAll(/`([^`]+)`/g)].map(([, cell = ""]) => [cell, cell] as const);

  it("names cells that are the same", () => {
    expect(same.length).toBeGreaterThan(3);
  });

  it.each([...rowsOf(page, "| GoRules | Decern |"), ...same])("translates %s", (unary = "", cell = "") => {
    const values = unary.includes("'") ? ["eu", "world", "home"] : [0, 1, 2, 4, 5, 6, 7, 8];
    for (const $ of values)
      expect(meets(cell, $), `${cell} for ${$}`).toBe(
        evaluateUnaryExpressionSync(unary, { $, profile: { min: 5 } }),
      );
  });
});
