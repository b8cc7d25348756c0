import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createServer, type DecisionServer } from "../src/index.js";
import { serverRows } from "../src/options/read-options.js";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
const [, table = ""] = /## Options\n([\s\S]*?)\n## /.exec(readme) ?? [];

/** Runs an example as a module, and closes its server. */
async function run(
  code: string,
  check: (module: { readonly address?: string; readonly server: DecisionServer }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(fileURLToPath(new URL("./.readme-", import.meta.url)));
  try {
    await writeFile(`${folder}/example.ts`, code);
    const module = await import(`${folder}/example.ts`);
    await check(module);
    await module.server.close();
  } finally {
    await rm(folder, { recursive: true });
  }
}

it("has an example that runs", async () => {
  const code = `${example.replace("listen(3000)", "listen(0)")}\nexport { address, server };\n`;
  await run(code, async ({ address }) => {
    const reply = await fetch(`${address}/decisions/access`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"input":{"role":"auditor"}}',
    });
    expect(await reply.json()).toMatchObject({ status: "OK", data: { allowed: true } });
  });
});

it("names exactly the options that exist", () => {
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  let refused = "";
  try {
    Reflect.apply(createServer, undefined, [{ decisions: [], nope: 1 }]);
  } catch (error) {
    refused = String(error);
  }
  const known = /valid names are ([\w, ]+)/.exec(refused)?.[1]?.split(", ") ?? [];
  expect(known.length).toBeGreaterThan(10);
  expect(named.toSorted()).toEqual(known.toSorted());
});

it("gives each option the default that the code has", () => {
  const shown = new Map(
    [...table.matchAll(/^\| `(\w+)` \| `?([^|`]*)`? \|/gm)].map(([, name, value]) => [name, value]),
  );
  const simple = Object.entries<{ readonly fallback?: unknown }>(serverRows).flatMap(
    ([name, { fallback: value }]) =>
      typeof value === "number" || typeof value === "boolean" ? [[name, String(value)]] : [],
  );
  expect(simple.length).toBeGreaterThan(10);
  expect(simple.map(([name]) => [name, shown.get(name)])).toEqual(
    simple.map(([name, value]) => [name, name === "logger" ? "standard error" : value]),
  );
});
