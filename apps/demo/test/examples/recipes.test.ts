import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { evaluate } from "@decern/core";
import { OpenFeature } from "@openfeature/server-sdk";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../support/listening.js";
import { examplesOf, root } from "./page-examples.js";

// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.recipes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = examplesOf("docs/getting-started.md").find(({ title }) => title === "decisions.ts")?.code ?? "";

/** Writes the files of a recipe, and the decisions of "Getting started". */
function written(recipe: string, port = 3000, decisions = start): string {
  const place = mkdtempSync(resolve(folder, `${recipe}-`));
  writeFileSync(resolve(place, "decisions.ts"), decisions);
  for (const { title = "", code } of examplesOf(`docs/recipes/${recipe}.md`)) {
    writeFileSync(resolve(place, title), code.replaceAll("3000", String(port)));
  }
  return place;
}

/** The server that a package's README shows. */
function exampleOf(name: string, port: number): string {
  const [example] = examplesOf(`packages/${name}/README.md`);
  if (example === undefined) throw new Error(`The README of ${name} has no example`);
  return example.code.replace("const server", "export const server").replace("3000", String(port));
}

const good = { amount: 9000, score: 700 };
const granted = { status: "OK", data: { approved: true } };

describe("recipes", () => {
  it("property tests: pass, and find a rule that punishes a higher score", () => {
    const tsx = pathToFileURL(createRequire(resolve(root, "apps/cli/package.json")).resolve("tsx")).href;
    const run = (decisions: string) => {
      const args = ["--import", tsx, "--test", "properties.test.ts"];
      return spawnSync(process.execPath, args, { cwd: written("property-tests", 3000, decisions) }).status;
    };
    expect(run(start)).toBe(0);
    const low = "when: (input, profile) => input.score < profile.minScore";
    expect(start).toContain(low);
    expect(run(start.replace(low, `${low} || input.score === 745`))).toBe(1);
  });

  it("facts: are fetched once for calls at the same time, and again after a failure", async () => {
    const { decide } = await import(resolve(written("facts"), "facts.ts"));
    const fetchScore = vi.fn(async () => 700);
    const results = await Promise.all([decide("ada", 9000, fetchScore), decide("ada", 90_000, fetchScore)]);
    expect(results).toMatchObject([granted, { data: { approved: false } }]);
    expect(fetchScore).toHaveBeenCalledTimes(1);
    const failing = vi.fn(async () => {
      throw new Error("down");
    });
    await expect(decide("bob", 9000, failing)).rejects.toThrow("down");
    expect(await decide("bob", 9000, fetchScore)).toMatchObject(granted);
  });

  it("all reasons: are in the output", async () => {
    const { loanReasons } = await import(resolve(written("all-reasons"), "all-reasons.ts"));
    expect(evaluate(loanReasons, { amount: 60_000, score: 500 })).toMatchObject({
      data: { approved: false, reasons: ["The score is below 620", "The amount is above 50,000"] },
    });
    expect(evaluate(loanReasons, good)).toMatchObject({ data: { approved: true, reasons: [] } });
  });

  it("feature flags: are read by OpenFeature's SDK", async () => {
    const port = await freePort();
    const place = written("feature-flags", port);
    writeFileSync(resolve(place, "flags.ts"), exampleOf("ofrep", port));
    const { server } = await import(resolve(place, "flags.ts"));
    onTestFinished(() => server.close());
    onTestFinished(() => OpenFeature.clearProviders());
    const { hasNewCheckout } = await import(resolve(place, "shop.ts"));
    expect({ pro: await hasNewCheckout("pro"), free: await hasNewCheckout("free") }).toEqual({
      pro: true,
      free: false,
    });
  });

  it("gateway: admits editors, and no user while it cannot ask", async () => {
    vi.stubEnv("GATEWAY_KEY", "a key of the gateway");
    onTestFinished(() => void vi.unstubAllEnvs());
    const port = await freePort();
    const place = written("gateway", port);
    const [, authenticate = ""] =
      /`(authenticate: [^`]+)`/.exec(readFileSync(resolve(root, "docs/recipes/gateway.md"), "utf8")) ?? [];
    const access = exampleOf("authzen", port)
      .replace("{ createServer }", "{ apiKeys, createServer }")
      .replace("createServer({ ", `createServer({ ${authenticate}, `)
      .replace("the gateway's key", "a key of the gateway");
    writeFileSync(resolve(place, "access.ts"), access);
    const { server } = await import(resolve(place, "access.ts"));
    onTestFinished(() => server.close());
    const { mayWrite } = await import(resolve(place, "gateway.ts"));
    const asks = () => Promise.all(["editor", "reader"].map((role) => mayWrite("ada", role, "home")));
    expect(await asks()).toEqual([true, false]);
    vi.stubEnv("GATEWAY_KEY", "a wrong key");
    expect(await asks()).toEqual([false, false]);
    vi.stubEnv("GATEWAY_KEY", "a key of the gateway");
    await server.close();
    expect(await asks()).toEqual([false, false]);
  });

  it("Next.js: a handler returns the result, and 400 for what is invalid", async () => {
    const { POST } = await import(resolve(written("nextjs"), "route.ts"));
    const post = async (body: string) => {
      const response = await POST(new Request("http://localhost/loan-approval", { method: "POST", body }));
      return [response.status, await response.json()];
    };
    expect(await post(JSON.stringify(good))).toMatchObject([200, granted]);
    expect(await post('{"amount":1}')).toMatchObject([400, { status: "INVALID_INPUT" }]);
    expect(await post("{")).toMatchObject([400, { error: expect.any(String) }]);
  });

  it("Lambda: a handler takes bodies as text and as Base64", async () => {
    const { handler } = await import(resolve(written("lambda"), "lambda.ts"));
    const body = JSON.stringify(good);
    const encoded = Buffer.from(body).toString("base64");
    for (const event of [
      { body, isBase64Encoded: false },
      { body: encoded, isBase64Encoded: true },
    ]) {
      const { statusCode, body: replied } = await handler(event);
      expect({ statusCode, result: JSON.parse(replied) }).toMatchObject({ statusCode: 200, result: granted });
    }
    expect(await handler({ body: null, isBase64Encoded: false })).toMatchObject({ statusCode: 400 });
    expect(await handler({ body: "{}", isBase64Encoded: false })).toMatchObject({ statusCode: 400 });
  });

  it("queue: confirms a message after its result is published", async () => {
    const { consume } = await import(resolve(written("queue"), "queue.ts"));
    const events: string[] = [];
    const message = (text: string) => ({
      json: () => JSON.parse(text),
      ack: () => events.push("ack"),
      nak: () => events.push("nak"),
      term: () => events.push("term"),
    });
    async function* messages() {
      yield message(JSON.stringify(good));
      yield message("{");
      yield message('{"amount":60000,"score":700}');
    }
    await consume(messages(), async (text: string) => {
      if (events.length > 2) throw new Error("the queue is down");
      events.push(JSON.parse(text).status);
    });
    expect(events).toEqual(["OK", "ack", "term", "nak"]);
  });
});
