import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { OfferedModule } from "../src/base/modules.js";
import { Engine } from "../src/engine/index.js";
import { guideExamples } from "../src/markdown/guide-examples.js";
import { sitePages } from "../src/markdown/site-pages.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const modules: Readonly<Record<OfferedModule, unknown>> = {
  "@decern/core": await import("@decern/core"),
  "@decern/core/options": await import("@decern/core/options"),
  "@decern/core/tools": await import("@decern/core/tools"),
  "@decern/core/schema": await import("@decern/core/schema"),
  "@decern/schema": await import("@decern/schema"),
  "@decern/table": await import("@decern/table"),
  typebox: await import("typebox"),
  zod: await import("zod"),
};
const create = () => new Engine((specifier) => modules[specifier]);

const open = async (module: string, table?: { readonly name: string; readonly text: string }) => {
  const engine = create();
  const told = await engine.tell({ kind: "open", source: { module, table } });
  return {
    ...told,
    evaluate: (input: unknown) => engine.tell({ kind: "evaluate", index: 0, call: { input } }),
  };
};

describe("the examples of the pages", () => {
  const examples = guideExamples(root, sitePages(root));

  it("are found, also one of a table", () => {
    expect(examples.length).toBeGreaterThan(8);
    expect(examples.filter(({ state }) => state.table !== undefined).length).toBeGreaterThan(0);
  });

  it.each(examples)("are decisions that can be tried: $title", async ({ state: { module, table } }) => {
    const { mistake, decisions = [] } = await open(module, table);
    expect(mistake).toBeUndefined();
    expect(decisions.length).toBeGreaterThan(0);
  });

  it("evaluates the first one, as the page says", async () => {
    const readme = examples.find(({ source }) => source === "README.md");
    const { console, evaluate } = await open(readme?.state.module ?? "");
    expect(console).toEqual(["false Score 580 is below 620"]);
    const { result } = await evaluate({ amount: 9000, score: 700 });
    expect(result).toMatchObject({ status: "OK", data: { approved: true, rate: 4.9 } });
    const { result: invalid } = await evaluate({ amount: 9000 });
    expect(invalid).toMatchObject({ status: "INVALID_INPUT" });
  });

  it("reads the rows of a table, and says where one is wrong", async () => {
    const { state } = examples.find((one) => one.state.table !== undefined) ?? {};
    const rows = state?.table?.text ?? "";
    const { decisions, evaluate } = await open(state?.module ?? "", state?.table);
    expect(decisions?.[0]?.content?.mediaType).toBe("application/vnd.decern.table+json");
    expect((await evaluate({})).result).toMatchObject({ status: "INVALID_INPUT" });
    const broken = await open(state?.module ?? "", { name: "fee.csv", text: `${rows.trimEnd()}\nodd,< <\n` });
    expect(broken.mistake?.message).toMatch(/row \d+/);
  });
});

const decision = (rule: string) => `import { defineDecision } from "@decern/core";
import { z } from "zod";
const d = defineDecision({ id: "d", version: "1.0.0", inputSchema: z.object({}), outputSchema: z.object({}), profileSchema: z.object({}),
  rules: [${rule}] });
`;

describe("code that cannot run", () => {
  it.each([
    ["broken syntax", "const a = 1;\nconst b = ;\n", /Unexpected token/, 2],
    ["something that throws", 'const a: number = 1;\n\nthrow new Error("no " + a);\n', /^no 1$/, 3],
    ["something else that is thrown", 'throw "text";', /^Thrown: text$/, undefined],
    [
      "a package that is not there",
      'import x from "lodash"; x();',
      /doesn't have "lodash", but @decern\/core/,
      undefined,
    ],
    ["another file", 'import { x } from "./x.js"; x();', /one file/, undefined],
    ["no decision", "export const a = 1;", /defines no decision/, undefined],
    ["an invalid decision", decision("{}"), /Invalid decision[\s\S]*\/rules\/0/, undefined],
  ])("has a mistake with a message: %s", async (_, module, message, line) => {
    const { mistake, decisions } = await open(module);
    expect(decisions).toBeUndefined();
    expect(mistake?.message).toMatch(message);
    if (line !== undefined) expect(mistake?.line).toBe(line);
  });

  it("has one for rows without a contract", async () => {
    const { mistake } = await open("export {};", { name: "a.csv", text: "table,a\nrule,out: b\n" });
    expect(mistake?.message).toMatch(/no contract/);
  });

  it("has one where a rule throws, with its own message and line", async () => {
    const { evaluate } = await open(
      decision('{ id: "a", when: () => true,\nemit: () => { throw new Error("no rate"); } }'),
    );
    expect(await evaluate({})).toEqual({ mistake: { message: "no rate", line: 5 }, console: [] });
  });
});

describe("the console", () => {
  it("shows values as text, and stops at a hundred lines of limited length", async () => {
    const { console } = await open(
      `${decision('{ id: "a", when: () => true, emit: () => ({}) }')}
console.log("a", 1, { b: [true] }, undefined); for (let i = 0; i < 500; i += 1) console.info("x".repeat(5000));`,
    );
    expect(console[0]).toBe('a 1 {"b":[true]} undefined');
    expect(console).toHaveLength(100);
    expect(console[99]).toHaveLength(2001);
  });

  it("has what rules write, evaluation by evaluation", async () => {
    const { evaluate } = await open(
      decision('{ id: "a", when: () => { console.log("asked"); return true; }, emit: () => ({}) }'),
    );
    expect((await evaluate({})).console).toEqual(["asked"]);
    expect((await evaluate({})).console).toEqual(["asked"]);
  });
});

it("takes the decisions that are exported, also in lists, before those that are not", async () => {
  const rule = '{ id: "a", when: () => true, emit: () => ({}) }';
  const { decisions } = await open(`${decision(rule)}
const like = (id) => defineDecision({ id, version: "1.0.0", inputSchema: d.inputSchema, outputSchema: d.outputSchema,
  profileSchema: d.profileSchema, rules: [${rule}] });
export const all = [like("x"), like("y")] as const;`);
  expect(decisions?.map(({ id }) => id)).toEqual(["x", "y"]);
});
