// @module-tag one-node
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const tsc = join(root, "node_modules/typescript/bin/tsc");
// In the package's folder, which can import Hono.
const folder = mkdtempSync(join(root, "packages/client/test/.instantiations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const library = join(root, "packages/client/src/index.js");
const decisions = 200;
const lines = (line: (index: number) => string, count = decisions) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const types = lines(
  (index) => `
export interface Input${index} { amount: number; kind: "kind-${index}" | "other"; applicant: { name: string; age?: number } }
export interface Output${index} { approved: boolean; rate${index}: number }
export interface Profile${index} { min${index}: number }`,
);
const input = (index: number) => `{ amount: 1, kind: "kind-${index}", applicant: { name: "A" } }`;
const use = (index: number) =>
  `export const rate${index}: number | undefined = result${index}.status === "OK" ? result${index}.data.rate${index} : undefined;`;

const ours = {
  "decisions.ts": `
import type { Decision } from "@decern/core";
import type * as T from "./types.js";
${lines((index) => `declare const d${index}: Decision<T.Input${index}, T.Output${index}, T.Profile${index}, "decision-${index}"> & { readonly uses: readonly [] };`)}
export const decisions = [${Array.from({ length: decisions }, (_, index) => `d${index}`).join()}];`,
  "calls.ts": (count: number) => `
import { createClient } from "${library}";
import type { decisions } from "./decisions.js";
const client = createClient<typeof decisions>({ url: "" });
${lines((index) => `const result${index} = await client["decision-${index}"](${input(index)});\n${use(index)}`, count)}`,
};

// The same paths, inputs and outputs, with Hono's own validator.
const hono = {
  "decisions.ts": `
import { Hono } from "hono";
import { validator } from "hono/validator";
import type * as T from "./types.js";
declare function some<Type>(value: unknown): Type;
export const app = new Hono()
${lines((index) => `.post("/decisions/decision-${index}", validator("json", (value) => some<T.Input${index}>(value)), (context) => context.json(some<{ status: "OK"; data: T.Output${index} } | { status: "NO_MATCH"; message: string }>(0)))`)};`,
  "calls.ts": (count: number) => `
import { hc } from "hono/client";
import type { app } from "./decisions.js";
const client = hc<typeof app>("");
${lines((index) => `const result${index} = await (await client.decisions["decision-${index}"].$post({ json: ${input(index)} })).json();\n${use(index)}`, count)}`,
};

/** Checks a file, and counts the type instantiations. */
async function instantiations(place: string, file: string): Promise<number> {
  const compilerOptions = {
    noEmit: true,
    composite: false,
    emitDeclarationOnly: false,
    declarationMap: false,
    sourceMap: false,
    lib: ["es2023", "dom", "dom.iterable"],
  };
  const config = join(place, `tsconfig.${file}.json`);
  const extended = join(root, "tsconfig.base.json");
  writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions, files: [file] }));
  // Several checkers instantiate the same types again, and each would count.
  const args = ["-p", config, "--extendedDiagnostics", "--checkers", "1"];
  const { stdout } = await run(process.execPath, [tsc, ...args]).catch(
    (error: { readonly stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
  const count = /^Instantiations:\s+(\d+)$/m.exec(stdout)?.[1];
  if (count === undefined) throw new Error(`no count in ${stdout}`);
  return Number(count);
}

/** What a client costs, apart from the decisions themselves: with one call, and with a call of each decision. */
async function cost(
  name: string,
  files: typeof ours,
): Promise<{ readonly one: number; readonly all: number }> {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, "types.ts"), types);
  writeFileSync(join(place, "decisions.ts"), files["decisions.ts"]);
  writeFileSync(join(place, "one.ts"), files["calls.ts"](1));
  writeFileSync(join(place, "all.ts"), files["calls.ts"](decisions));
  const alone = await instantiations(place, "decisions.ts");
  return {
    one: (await instantiations(place, "one.ts")) - alone,
    all: (await instantiations(place, "all.ts")) - alone,
  };
}

it("costs an editor a tenth of Hono's client at most, at 200 decisions", async () => {
  const client = await cost("decern", ours);
  const other = await cost("hono", hono);
  console.log(`type instantiations at ${decisions} decisions`, {
    "@decern/client": client,
    "hono/client": other,
  });
  expect(client.one).toBeGreaterThan(0);
  expect(client.one).toBeLessThan(other.one / 10);
  expect(client.all).toBeLessThan(other.all / 10);
});

it("notices wrong calls in this very set-up", async () => {
  const place = join(folder, "wrong");
  mkdirSync(place);
  writeFileSync(join(place, "types.ts"), types);
  writeFileSync(join(place, "decisions.ts"), ours["decisions.ts"]);
  writeFileSync(join(place, "one.ts"), ours["calls.ts"](1).replace("amount: 1", 'amount: "1"'));
  await expect(instantiations(place, "one.ts")).rejects.toThrow("is not assignable to type 'number'");
});
