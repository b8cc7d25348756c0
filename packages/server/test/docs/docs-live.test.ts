import { defineDecision, type Hooks } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { createServer, type ServerOptions } from "../../src/index.js";
import { fakeMetrics } from "../support/fake-features.js";
import { recordingLogger } from "../support/recording-logger.js";

const loan = (version: string, limit: number) =>
  defineDecision({
    id: "loan",
    version,
    inputSchema: z.object({ amount: z.number() }),
    outputSchema: z.object({ granted: z.boolean() }),
    profileSchema: z.object({ fails: z.boolean().default(false) }),
    rules: [
      {
        id: "small",
        description: "Small loans are granted",
        when: (input, profile) => {
          if (profile.fails) throw new Error("secret of the rule");
          return input.amount <= limit;
        },
        emit: () => ({ granted: true }),
      },
    ],
  });

const payload = { input: { amount: 50 } };

/** Everything that may see an evaluation, and what it saw. */
function watched() {
  const seen: string[] = [];
  const hooks: Hooks = {
    afterEvaluate: () => void seen.push("afterEvaluate"),
    onError: () => void seen.push("onError"),
  };
  const metrics = fakeMetrics();
  const observers = [{ onEvaluated: () => void seen.push("observer") }];
  return { seen, hooks, metrics, observers };
}

function serve(options: Partial<ServerOptions> = {}) {
  return createServer({
    decisions: [loan("1.0.0", 100), loan("2.0.0", 10)],
    versions: { loan: { default: "1.0.0" } },
    logger: recordingLogger(),
    ...options,
  }).handler;
}

it("replies as the page's other route does, for the default version and a pinned one", async () => {
  const handler = serve({ clock: { now: () => 1_800_000_000_000, monotonic: () => 0 } });
  for (const path of ["/decisions/loan", "/decisions/loan/versions/2.0.0", "/decisions/nobody"]) {
    const ask = (prefix: string) => handler.inject({ method: "POST", url: prefix + path, payload });
    const [expected, live] = [await ask("/docs"), await ask("/docs/live")];
    expect({ path, statusCode: live.statusCode, json: live.json() }).toEqual({
      path,
      statusCode: expected.statusCode,
      json: expected.json(),
    });
  }
});

it("is seen by no metric, no observer, no shadow candidate, and no hook that reports", async () => {
  const { seen, hooks, metrics, observers } = watched();
  const handler = serve({ hooks, metrics, observers, shadow: { loan: { version: "2.0.0", sample: 1 } } });
  const ask = (prefix: string, body: object) =>
    handler.inject({ method: "POST", url: `${prefix}/decisions/loan`, payload: body });
  expect((await ask("/docs/live", payload)).json()).toMatchObject({ envelope: { status: "OK" } });
  expect((await ask("/docs/live", { ...payload, profile: { fails: true } })).statusCode).toBe(500);
  expect((await ask("/docs/live", { input: {} })).statusCode).toBe(400);
  expect({ seen, events: metrics.events }).toEqual({ seen: [], events: [] });
  // The same call on the other route shows that the watchers work.
  await ask("/docs", payload);
  await expect.poll(() => seen).toContain("afterEvaluate");
  expect(metrics.events).toHaveLength(1);
});

it("is recorded nowhere, so it is off beside a log until the host asks for it", async () => {
  const log = new MemoryLog();
  const handler = serve({ log, liveDocs: true });
  const ask = (prefix: string) =>
    handler.inject({ method: "POST", url: `${prefix}/decisions/loan`, payload });
  const live = await ask("/docs/live");
  expect({
    statusCode: live.statusCode,
    decernRecordId: live.headers["decern-record-id"],
    kept: log.kept,
  }).toEqual({ statusCode: 200, decernRecordId: undefined, kept: [] });
  await ask("/docs");
  expect(log.kept).toHaveLength(1);
});

it("asks the hook that may refuse a call", async () => {
  const hooks: Hooks = {
    beforeEvaluate: ({ caller }) => {
      throw Object.assign(new Error(`Not for ${caller}`), { statusCode: 403, code: "NOT_FOR_YOU" });
    },
  };
  const handler = serve({ hooks, liveDocs: true, authenticate: () => ({ caller: "shop" }) });
  const reply = await handler.inject({ method: "POST", url: "/docs/live/decisions/loan", payload });
  expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
    statusCode: 403,
    json: { error: "Not for shop", code: "NOT_FOR_YOU" },
  });
});

it("needs the key that evaluations need", async () => {
  const handler = serve({ authenticate: ({ headers }) => headers["x-api-key"] === "secret" });
  const ask = (headers: Record<string, string>) =>
    handler.inject({ method: "POST", url: "/docs/live/decisions/loan", headers, payload });
  expect((await ask({})).statusCode).toBe(401);
  expect((await ask({ "x-api-key": "secret" })).statusCode).toBe(200);
});

const beforeEvaluate: Hooks = { beforeEvaluate: () => undefined };

it.each<[name: string, options: Partial<ServerOptions>, live: boolean]>([
  ["by default", {}, true],
  ["when the host says no", { liveDocs: false }, false],
  ["beside a hook that may refuse calls, unless asked for", { hooks: beforeEvaluate }, false],
  ["beside a log, unless asked for", { log: new MemoryLog() }, false],
  ["beside such a hook when asked for", { hooks: beforeEvaluate, liveDocs: true }, true],
])("is there %s", async (_name, options, live) => {
  const handler = serve(options);
  const reply = await handler.inject({ method: "POST", url: "/docs/live/decisions/loan", payload });
  expect(reply.statusCode).toBe(live ? 200 : 404);
  expect((await handler.inject("/docs/catalogue.json")).json().live).toBe(live ? true : undefined);
});

it("tells the page what each rule is for", async () => {
  const reply = await serve().inject("/docs/decisions/loan");
  expect(reply.json().ruleDescriptions).toEqual({ small: "Small loans are granted" });
});
