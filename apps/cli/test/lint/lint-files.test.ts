import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { lintFiles } from "../../src/lint/lint-files.js";

const folder = mkdtempSync(join(tmpdir(), "decern-lint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;

/** Writes files, and lints the first. */
async function lint(files: Readonly<Record<string, string>>) {
  written += 1;
  const own = join(folder, String(written));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
  return await lintFiles(Object.keys(files).slice(0, 1), own);
}

/** What is found in a rule: kinds and what. */
async function found(when: string, around = ""): Promise<readonly string[]> {
  const text = `${around}\nexport const rule = { id: "r", when: ${when}, emit: () => ({ ok: true }) };`;
  return (await lint({ "rules.ts": text })).findings.map(({ kind, what }) => `${kind}: ${what}`);
}

describe("decern lint finds", () => {
  it.each([
    ["(input) => input.until < Date.now()", "clock: Date.now"],
    ["(input) => input.until < new Date()", "clock: new Date()"],
    ["() => Date() !== ''", "clock: Date()"],
    ["() => performance.now() > 5", "clock: performance.now"],
    ["() => globalThis.Date.now() > 5", "clock: globalThis.Date.now"],
    ["() => process.hrtime.bigint() > 5n", "clock: process.hrtime.bigint"],
    ["(input) => [1, 2].map(Date.now).length > input.a", "clock: Date.now"],
    ["() => Math.random() < 0.1", "random: Math.random"],
    ["() => crypto.randomUUID() > 'a'", "random: crypto.randomUUID"],
    ["() => fetch('/x') !== undefined", "io: fetch"],
    ["() => process.env.LIMIT === '1'", "io: process.env.LIMIT"],
    ["() => process['env'] !== undefined", "io: process.env"],
    ["(input) => { console.log(input); return true; }", "io: console.log"],
    ["() => require('fs') !== undefined", "io: require"],
    ["() => import('./x.js') !== undefined", "io: import()"],
    ["() => { setTimeout(() => {}, 1); return true; }", "async: setTimeout"],
    ["async () => true", "async: an async function"],
    ["(input) => { input.seen = true; return true; }", "mutation: an assignment changes the input"],
    [
      "(_input, profile) => { profile.limits[0] += 1; return true; }",
      "mutation: an assignment changes the profile",
    ],
    ["(input) => { delete input.seen; return true; }", "mutation: an assignment changes the input"],
    ["(input) => { input.count++; return true; }", "mutation: an assignment changes the input"],
    ["(input) => input.items.sort()[0] === 1", "mutation: sort() changes the input"],
    ["({ items }) => items.push(1) > 2", "mutation: push() changes the input"],
    [
      "(input) => { const { items: [first] } = input; first.x = 1; return true; }",
      "mutation: an assignment changes the input",
    ],
    [
      "(input) => { const list = input.items ?? []; list.reverse(); return true; }",
      "mutation: reverse() changes the input",
    ],
    [
      "(input) => { for (const item of input.items) item.done = true; return true; }",
      "mutation: an assignment changes the input",
    ],
    [
      "(input) => input.items.some((item) => (item.done = true))",
      "mutation: an assignment changes the input",
    ],
    [
      "(input) => input.items.reduce((sum, item) => { item.x = 1; return sum; }, 0) > 1",
      "mutation: an assignment changes the input",
    ],
    [
      "(input) => { input.items.find((item) => item.a).b = 1; return true; }",
      "mutation: an assignment changes the input",
    ],
    ["(input) => Object.assign(input.a, { b: 1 }).b > 1", "mutation: Object.assign changes the input"],
    [
      "(_input, _profile, context) => context.now.setHours(0) > 1",
      "mutation: setHours() changes the context",
    ],
    ["(input) => { (input as any)!.a = 1; return true; }", "mutation: an assignment changes the input"],
  ])("%s", async (when, expected) => {
    expect(await found(when)).toEqual([expected]);
  });

  it.each([
    ["let count = 0;", "() => ++count > 3", "mutation: count is declared outside of the rule"],
    [
      "let last;",
      "(input) => { last = input.a; return true; }",
      "mutation: last is declared outside of the rule",
    ],
    [
      "const seen = new Set();",
      "(input) => { seen.add(input.id); return true; }",
      "mutation: add() changes seen",
    ],
    ["const cache = {};", "(input) => (cache[input.id] ??= true)", "mutation: an assignment changes cache"],
    ["const list = [1];", "() => list.push(2) > 1", "mutation: push() changes list"],
    ['import { readFileSync } from "node:fs";', "() => readFileSync('a') !== ''", "io: readFileSync"],
    ['import * as fs from "fs/promises";', "() => fs.readFile('a') !== ''", "io: fs.readFile"],
    ['import { randomInt } from "node:crypto";', "() => randomInt(3) > 1", "random: randomInt"],
    ['import { performance as clock } from "node:perf_hooks";', "() => clock.now() > 1", "clock: clock.now"],
    ['import { env } from "node:process";', "() => env.A === 'b'", "io: env.A"],
  ])("%s %s", async (around, when, expected) => {
    expect(await found(when, around)).toEqual([expected]);
  });

  it("await, and loops that wait", async () => {
    const body = "async (input) => { await input.a; for await (const b of input.c) b; return true; }";
    expect(await found(body)).toEqual(["async: an async function", "async: await", "async: for await"]);
  });

  it("state of a function that makes rules", async () => {
    const text = "export function rules() { let n = 0; return [{ when: () => n++ > 1, emit: () => ({}) }]; }";
    const { findings } = await lint({ "a.js": text });
    expect(findings).toMatchObject([{ kind: "mutation", rule: "when of rule in line 1" }]);
  });
});

describe("decern lint follows functions that rules call", () => {
  it.each([
    ["a declaration", "function late() { return Date.now() > 1; }", "() => late()"],
    ["a constant", "const late = () => Date.now() > 1;", "() => late()"],
    ["the function itself", "const late = () => Date.now() > 1;", "late"],
    ["one that is handed on", "const late = () => Date.now() > 1;", "(input) => input.list.some(late)"],
    ["a member of an object", "const is = { late: () => Date.now() > 1 };", "() => is.late()"],
    ["one after the other", "const a = () => Date.now(); const b = () => a(); const c = b;", "() => c() > 1"],
    ["one that calls itself", "function f(n) { return n > 0 ? f(n - 1) : Date.now(); }", "() => f(3) > 1"],
    [
      "what makes the function",
      "const not = (f) => (x) => !f(x); const late = () => Date.now() > 1;",
      "not(late)",
    ],
  ])("%s", async (_what, around, when) => {
    expect(await found(when, around)).toEqual(["clock: Date.now"]);
  });

  it("into other files, by every way of exporting", async () => {
    const { findings } = await lint({
      "rules.ts": `import { late } from "./late.js"; import other from "./other.js"; import * as all from "./all.js";
export const rules = [
  { id: "one", when: () => late(), emit: () => ({}) },
  { id: "two", when: () => other(), emit: () => ({}) },
  { id: "three", when: () => all.third(), emit: () => ({}), explain: () => all.fourth() },
];`,
      "late.ts": "export function late(): boolean {\n  return Date.now() > 1;\n}",
      "other.ts": "export default () => Math.random() > 1;",
      "all.ts": 'export { third } from "./third.js"; export * from "./fourth.js";',
      "third.ts": "const inner = () => fetch('x'); export { inner as third };",
      "fourth.ts": "export const fourth = () => process.env.A ?? '';",
    });
    expect(findings.map(({ file, line, kind, rule }) => ({ file, line, kind, rule }))).toEqual([
      { file: "fourth.ts", line: 1, kind: "io", rule: 'explain of rule "three"' },
      { file: "late.ts", line: 2, kind: "clock", rule: 'when of rule "one"' },
      { file: "other.ts", line: 1, kind: "random", rule: 'when of rule "two"' },
      { file: "third.ts", line: 1, kind: "io", rule: 'when of rule "three"' },
    ]);
  });

  it("with what they are given", async () => {
    const around = "function first(list) { return list.sort()[0]; }";
    expect(await found("(input) => first(input.items) > 1", around)).toEqual([
      "mutation: sort() changes the input",
    ]);
    expect(await found("(input) => first([...input.items]) > 1", around)).toEqual([]);
  });
});

describe("decern lint has no false alarms for", () => {
  it.each([
    [
      "locals",
      "(input) => { let n = 0; const out = []; for (const x of input.items) { n += x; out.push(x); } out.sort(); return n > 1; }",
    ],
    ["copies", "(input) => [...input.items].sort()[0] > 1 && input.items.map((x) => x).reverse().length > 1"],
    [
      "objects of its own",
      "(input) => { const a = { ...input }; a.x = 1; delete a.y; return Object.assign({}, input).x > 1; }",
    ],
    [
      "an accumulator",
      "(input) => input.items.reduce((all, x) => { all.push(x); return all; }, []).length > 1",
    ],
    ["a map of its own", "(input) => { const m = new Map(); m.set(input.a, 1); return m.size > 0; }"],
    ["dates that are given", "(input, _p, { now }) => new Date(input.at) < now && Date.parse(input.at) > 1"],
    [
      "names that are its own",
      "(input, fetch) => { const process = { env: 1 }; const Date = { now: () => 1 }; return process.env > fetch.x && Date.now() > 1; }",
    ],
    [
      "members of those names",
      "(input) => input.fetch === input.process.env && input.performance.now > input.console",
    ],
    ["keys of those names", "(input) => ({ fetch: 1, process: input.a }).fetch > 1"],
    ["other functions of Math", "(input) => Math.max(input.a, 1) > Math.round(input.b)"],
    ["a parameter that is replaced", "(input) => { input = { ...input, a: 1 }; return input.a > 0; }"],
    ["numbers taken out", "({ amount }) => { amount += 1; return amount > 2; }"],
    [
      "a switch",
      "(input) => { switch (input.a) { case 1: { let n = 1; n += 1; return n > 1; } default: { let m = 1; m++; return m > 1; } } }",
    ],
    [
      "types",
      "(input: { process: typeof process; now: Date }) => (input as { console: typeof console }).console !== null",
    ],
    ["labels", "(input) => { fetch: for (const x of input.items) { if (x) continue fetch; } return true; }"],
    ["catch", "(input) => { try { return JSON.parse(input.a); } catch (fetch) { return fetch === null; } }"],
  ])("%s", async (_what, when) => {
    expect(await found(when)).toEqual([]);
  });

  it.each([
    [
      "tables that are read",
      "const limits = { a: 1 }; const list = [1, 2];",
      "(input) => limits[input.a] > 1 && list.includes(input.b)",
    ],
    [
      "values whose methods have names of sets",
      'import Decimal from "decimal"; const zero = new Decimal(0);',
      "(input) => zero.add(input.a).set(1) > 1",
    ],
    [
      "modules of Node that compute",
      'import { createHash } from "node:crypto"; import { join } from "node:path";',
      "(input) => createHash('sha256').update(join(input.a)).digest('hex') > 'a'",
    ],
    [
      "what is imported and shadowed",
      'import { readFile } from "node:fs";',
      "(input) => { const readFile = (x) => x; return readFile(input.a); }",
    ],
  ])("%s", async (_what, around, when) => {
    expect(await found(when, around)).toEqual([]);
  });

  it("code outside of rules", async () => {
    const text = `import { readFileSync } from "node:fs";
const rates = JSON.parse(readFileSync("rates.json", "utf8"));
export const started = Date.now();
export const hooks = { before: [async (call) => { call.input.at = Date.now(); await fetch("x"); }] };
export const rules = rates.map(({ upTo }) => ({ id: \`to-\${upTo}\`, when: (input) => input.a <= upTo, emit: () => ({ ok: true }) }));`;
    expect(await lint({ "a.js": text })).toEqual({ files: 1, rules: 1, findings: [] });
  });

  it("the decisions of the demo", async () => {
    const demo = fileURLToPath(new URL("../../../demo/src/decisions", import.meta.url));
    const { rules, findings } = await lintFiles([demo], demo);
    expect(findings).toEqual([]);
    expect(rules).toBeGreaterThan(20);
  });
});

describe("decern lint", () => {
  it("tells where something is found, and in which rule", async () => {
    const { findings } = await lint({
      "a.ts":
        'export const rule = {\n  id: "late",\n  when: () => true,\n  emit: (input) => ({ at: Date.now() }),\n};',
    });
    expect(findings).toEqual([
      { file: "a.ts", line: 4, column: 27, kind: "clock", what: "Date.now", rule: 'emit of rule "late"' },
    ]);
  });

  it("obeys a comment that names the kind and says why", async () => {
    const text = (comment: string) => ({
      "a.ts": `export const rule = {\n  when: () =>\n    ${comment}\n    Date.now() > 1,\n  emit: () => ({}) };`,
    });
    const count = async (comment: string) => (await lint(text(comment))).findings.length;
    expect(await count("// decern-lint-ignore clock: replays pin it")).toBe(0);
    expect(await count("/* decern-lint-ignore clock: replays pin it */")).toBe(0);
    expect(await count("// decern-lint-ignore clock")).toBe(1);
    expect(await count("// decern-lint-ignore random: replays pin it")).toBe(1);
  });

  it("reads folders, without declarations, dependencies and what is built", async () => {
    const rule = "export const r = { when: () => Date.now() > 1, emit: () => ({}) };";
    const names = [
      "src/a.ts",
      "src/b.mjs",
      "src/deep/c.tsx",
      "src/d.d.ts",
      "src/node_modules/e.js",
      "src/dist/f.js",
    ];
    const own = join(folder, "tree");
    for (const name of names) {
      mkdirSync(dirname(join(own, name)), { recursive: true });
      writeFileSync(join(own, name), name.endsWith(".d.ts") ? "export {};" : rule);
    }
    const { files, findings } = await lintFiles(["src"], own);
    expect(files).toBe(3);
    expect(findings.map(({ file }) => file)).toEqual(["src/a.ts", "src/b.mjs", "src/deep/c.tsx"]);
  });

  it.each([
    ["a file that is missing", "none.ts", /cannot find none\.ts/],
    ["a file of another kind", "a.json", /a\.json is not JavaScript or TypeScript/],
    ["a syntax error", "broken.ts", /^broken\.ts, line 2: /],
  ])("rejects %s", async (_what, name, message) => {
    writeFileSync(join(folder, "a.json"), "{}");
    writeFileSync(join(folder, "broken.ts"), "const a = 1;\nconst = 2;");
    await expect(lintFiles([name], folder)).rejects.toThrow(message);
  });

  it("ends for functions that call each other, and for callbacks in callbacks", async () => {
    const circle = "const a = (x) => b(x); const b = (x) => a(x);";
    expect(await found("(input) => a(input.x)", circle)).toEqual([]);
    const deep = Array.from({ length: 40 }, (_, level) => `x${level}.items.some((x${level + 1}) => `).join(
      "",
    );
    expect(await found(`(x0) => ${deep}(x40.done = true)${")".repeat(40)}`)).toEqual([
      "mutation: an assignment changes the input",
    ]);
  });
});
