import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { examplesOf, root } from "./page-examples.js";

// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.override-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what docs/profiles.md says about callers' profiles", () => {
  const payload = { input: { amount: 9000, score: 580 }, profile: { minScore: 300, maxAmount: 9000 } };
  const [start] = examplesOf("docs/getting-started.md");
  const guided = examplesOf("docs/profiles.md").map(({ code }) => code);
  const forbidding = guided.find((code) => code.includes("profileOverride: false,")) ?? "";

  /** The response of the page's example server to its call, with the page's option or without it. */
  async function respond({ forbidden }: { readonly forbidden: boolean }) {
    const place = resolve(folder, String(forbidden));
    mkdirSync(place, { recursive: true });
    writeFileSync(resolve(place, "decisions.ts"), start?.code ?? "");
    const code = forbidding
      .replace("const server =", "export const server =")
      .replace("await server.listen(3000);", "");
    const example = resolve(place, "example.ts");
    writeFileSync(example, forbidden ? code : code.replace(/profileOverride: false,/, ""));
    const { server } = await import(example);
    const url = "/decisions/loan-approval";
    const response = await server.handler.inject({ method: "POST", url, payload });
    return { status: response.statusCode, body: response.json() };
  }

  it("holds by default: the call's profile replaces the host's", async () => {
    expect(await respond({ forbidden: false })).toMatchObject({
      status: 200,
      body: { data: { approved: true } },
    });
  });

  it("holds for the example that forbids it: the same call gets the error that the page names", async () => {
    expect(await respond({ forbidden: true })).toMatchObject({
      status: 403,
      body: { code: "PROFILE_OVERRIDE_FORBIDDEN" },
    });
  });
});
