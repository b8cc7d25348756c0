import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createServer } from "../src/index.js";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

it("has an example that runs", async () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = await mkdtemp(fileURLToPath(new URL("./.readme-", import.meta.url)));
  try {
    const file = `${folder}/example.ts`;
    await writeFile(
      file,
      `${(example ?? "").replace("listen(3000)", "listen(0)")}\nexport { address, server };\n`,
    );
    const { address, server } = await import(file);
    const reply = await fetch(`${address}/decisions/access`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"input":{"role":"auditor"}}',
    });
    expect(await reply.json()).toMatchObject({ status: "OK", data: { allowed: true } });
    await server.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("names every option that there is, and no other", () => {
  const table = /## Options\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  let refused = "";
  try {
    Reflect.apply(createServer, undefined, [{ decisions: [], nope: 1 }]);
  } catch (error) {
    refused = String(error);
  }
  const known = /known are ([\w, ]+)/.exec(refused)?.[1]?.split(", ") ?? [];
  expect(known.length).toBeGreaterThan(10);
  expect(named.toSorted()).toEqual(known.toSorted());
});
