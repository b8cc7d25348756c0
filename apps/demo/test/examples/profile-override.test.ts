import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { examplesOf, root } from "./page-examples.js";

// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.override-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what docs/profiles.md says about callers' profiles", () => {
  const text = readFileSync(resolve(root, "README.md"), "utf8");
  const guide = readFileSync(resolve(root, "docs/profiles.md"), "utf8");
  const [, body = ""] = /-d '(\{.*"profile":.*\})'/.exec(guide) ?? [];
  const [refusal = ""] = /^\{ "error": .*\}$/m.exec(guide) ?? [];
  const [, shown = ""] = /^```json\n(\{\n.*?)^```$/ms.exec(text) ?? [];
  const blocks = examplesOf("README.md").map(({ code }) => code);
  const decision = blocks.find((code) => code.includes("defineDecision(")) ?? "";
  const guided = examplesOf("docs/profiles.md").map(({ code }) => code);
  const forbidding =
    guided.find((code) => /await createServer\(\{[^}]*profileOverride: false \}\)/.test(code)) ?? "";

  /** The reply of the page's example server to a body, with the page's option or without it. */
  async function answer(payload: string, { forbidden }: { readonly forbidden: boolean }) {
    const place = resolve(folder, String(forbidden));
    mkdirSync(place, { recursive: true });
    writeFileSync(resolve(place, "decisions.ts"), decision);
    const unheard = forbidding.replace("await createServer(", "export const server = createServer(");
    const code = unheard.replace(".listen(3000)", "");
    const example = resolve(place, "example.ts");
    writeFileSync(example, forbidden ? code : code.replace(/profileOverride: false,?/, ""));
    const { server } = await import(example);
    const headers = { "content-type": "application/json" };
    const url = "/decisions/loan-approval";
    const reply = await server.handler.inject({ method: "POST", url, headers, payload });
    return { status: reply.statusCode, body: reply.json() };
  }

  it("holds by default: the call's profile replaces the host's", async () => {
    const { profile: _profile, ...plain } = JSON.parse(body);
    const { meta, ...rest } = JSON.parse(shown);
    expect(await answer(JSON.stringify(plain), { forbidden: false })).toEqual({
      status: 200,
      body: { ...rest, meta: { ...meta, evaluatedAt: expect.any(String) } },
    });
    expect(await answer(body, { forbidden: false })).toMatchObject({
      status: 200,
      body: { data: { approved: true } },
    });
  });

  it("holds for the example that forbids it: the same call gets the reply shown on the page", async () => {
    expect(await answer(body, { forbidden: true })).toEqual({ status: 403, body: JSON.parse(refusal) });
  });
});
