import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createServer, type DecisionServer } from "../src/index.js";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

const [example = "", refusal = ""] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code = ""]) => code,
);

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

it("has an example that refuses some callers a decision", async () => {
  const [definition = ""] = /const access = [\s\S]*?\n}\);\n/.exec(example) ?? [];
  const imports = 'import { defineDecision } from "@decern/core";\nimport { z } from "zod";\n';
  const code = refusal.replace("decisions: []", "decisions: [access]");
  await run(`${imports}${definition}${code}\nexport { server };\n`, async ({ server }) => {
    const ask = async (key: string) => {
      const payload = { input: { role: "auditor" }, profile: { roles: ["auditor"] } };
      const headers = { "x-api-key": key };
      const reply = await server.handler.inject({
        method: "POST",
        url: "/decisions/access",
        headers,
        payload,
      });
      return [reply.statusCode, reply.json().code ?? reply.json().status];
    };
    expect(await ask("previous-key")).toEqual([200, "OK"]);
    expect(await ask("its-key")).toEqual([403, "CALLER_NOT_ALLOWED"]);
    expect(await ask("other")).toEqual([401, "UNAUTHORIZED"]);
  });
});

it("names exactly the options that exist", () => {
  const table = /## Options\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
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
