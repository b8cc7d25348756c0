import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defineDecision } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { createServer } from "@decern/server";
import { expect, it } from "vitest";
import { z } from "zod";
import { root } from "./page-examples.js";

const page = readFileSync(resolve(root, "docs/hooks.md"), "utf8");
const [, shown = ""] = /^```text\n(1\. .*?)^```$/ms.exec(page) ?? [];
const steps = [...shown.matchAll(/^\d+\. (.*?)(?: {2,}.*)?$/gm)].map(([, step]) => step);

it("happens in the order that the guide to hooks shows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "decern-life-"));
  const seen: string[] = [];
  const see = (step: string): undefined => {
    if (seen.at(-1) !== step) seen.push(step);
  };
  const parts = {
    id: "life",
    inputSchema: z.object({ score: z.number().refine(() => see("schemas") ?? true) }),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
  };
  const ruleThatIs = (step: string) => ({ id: "only", when: () => see(step) ?? true, emit: () => ({}) });
  const files = ndjsonFiles(folder);
  const log = decisionLog({
    store: {
      ...files,
      close: () => files.close(),
      open: async (host) => {
        const writer = await files.open(host);
        return {
          get head() {
            return writer.head;
          },
          write: (batch) => writer.write(batch).then(() => see("record on disk")),
          close: () => writer.close(),
        };
      },
    },
    durable: "reply",
    subject: { key: "sixteen bytes and more", of: { life: () => see("record built") } },
  });
  const server = createServer({
    decisions: [defineDecision({ ...parts, version: "1.0.0", rules: [ruleThatIs("rules")] })],
    shadow: {
      life: {
        decision: defineDecision({
          ...parts,
          version: "2.0.0",
          inputSchema: z.object({ score: z.number() }),
          rules: [ruleThatIs("shadow")],
        }),
      },
    },
    versions: { life: { default: "1.0.0", select: () => see("select") } },
    profileResolver: () => see("profileResolver"),
    authenticate: () => see("authenticate") ?? true,
    hooks: { beforeEvaluate: () => see("beforeEvaluate"), afterEvaluate: () => see("afterEvaluate") },
    observers: [{ onEvaluated: () => see("onEvaluated") }],
    log,
  });
  server.handler.addHook("onResponse", async () => see("response"));
  const response = await server.handler.inject({
    method: "POST",
    url: "/decisions/life",
    payload: { input: { score: 1 } },
  });
  expect(response.json()).toMatchObject({ status: "OK" });
  await expect.poll(() => seen).toContain("shadow");
  await server.close();
  await log.close();
  rmSync(folder, { recursive: true });
  expect(seen.slice(0, seen.indexOf("shadow") + 1)).toEqual(steps);
});
