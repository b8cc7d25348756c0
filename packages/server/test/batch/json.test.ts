import type { EvaluationEvent, HookContext } from "@decern/core";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
import { decisions, profiles } from "../support/decisions.js";
import { fixedClock } from "../support/fixed-clock.js";
import { quote1, quote2 } from "../support/quotes.js";
import { recordingLogger } from "../support/recording-logger.js";

type Options = Omit<ServerOptions<typeof decisions>, "decisions">;

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function make(options: Options = {}): DecisionServer {
  const server = createServer({ decisions, profiles, clock: fixedClock, logger: false, ...options });
  open.push(server);
  return server;
}

async function post(
  { handler }: DecisionServer,
  body: object | string,
  url = "/decisions/outcomes/batch",
  headers: Readonly<Record<string, string>> = {},
) {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  const json = { "content-type": "application/json", ...headers };
  const reply = await handler.inject({ method: "POST", url, payload, headers: json });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}

const inputs = [
  { end: "ok", amount: 7 },
  { end: "throw" },
  { end: 4711 },
  { end: "ok", amount: 101 },
  null,
  { end: "ok" },
];
const fault = { error: "Evaluation failed", code: "EVALUATION_FAILED" };

describe("a batch", () => {
  it("has for each input, in order, what the route for one has", async () => {
    const server = make();
    const single = await Promise.all(
      inputs.map(async (input) => (await post(server, { input }, "/decisions/outcomes")).body),
    );
    const { status, headers, body } = await post(server, { inputs });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["x-request-id"]).toBeTypeOf("string");
    expect(body).toEqual({ results: single });
    expect(body.results[1]).toEqual(fault);
    expect(body.results.map(({ status }: { status?: string }) => status)).toEqual([
      "OK",
      undefined,
      "INVALID_INPUT",
      "NO_MATCH",
      "INVALID_INPUT",
      "OK",
    ]);
  });

  it("may be empty", async () => {
    expect(await post(make(), { inputs: [] })).toMatchObject({ status: 200, body: { results: [] } });
  });

  it("has a forbidden key as the fault of its input alone", async () => {
    const text =
      '{"inputs":[{"end":"ok"},{"end":"ok","__proto__":{}},{"end":"ok","\\u005f_proto__":{}},{"end":"ok"}]}';
    const { body } = await post(make(), text);
    const refused = { error: "Request body has a forbidden key", code: "FORBIDDEN_KEY" };
    expect(body.results).toMatchObject([{ status: "OK" }, refused, refused, { status: "OK" }]);
    expect(await post(make(), '{"inputs":[],"__proto__":{}}')).toMatchObject({ status: 400, body: refused });
    expect(await post(make(), '{"inputs":{"__proto__":{}}}')).toMatchObject({ status: 400, body: refused });
  });

  it("is of the version in its path, with that version's headers", async () => {
    const server = createServer({
      decisions: [quote1, quote2],
      versions: {
        quote: { default: "1.0.0", deprecated: { "2.0.0": { since: "2026-01-01" } }, retired: ["0.9.0"] },
      },
      logger: false,
    });
    open.push(server);
    const body = { inputs: [{ amount: 1 }, { amount: 2 }] };
    const pinned = await post(server, body, "/decisions/quote/versions/2.0.0/batch");
    expect(pinned.headers["deprecation"]).toBe("@1767225600");
    const versions = pinned.body.results.map(
      (item: { meta: { decisionVersion: string } }) => item.meta.decisionVersion,
    );
    expect(versions).toEqual(["2.0.0", "2.0.0"]);
    const status = async (path: string) => (await post(server, body, path)).status;
    expect(await status("/decisions/quote/versions/0.9.0/batch")).toBe(410);
    expect(await status("/decisions/quote/versions/7/batch")).toBe(404);
    expect(await status("/decisions/nobody/batch")).toBe(404);
    const wrong = await server.handler.inject("/decisions/quote/batch");
    expect({ statusCode: wrong.statusCode, allow: wrong.headers["allow"] }).toEqual({
      statusCode: 405,
      allow: "POST",
    });
  });

  it("takes a profile for all its inputs, as the route for one does", async () => {
    const amounts = {
      inputs: [
        { end: "ok", amount: 5 },
        { end: "ok", amount: 50 },
      ],
    };
    const statuses = async (server: DecisionServer, more: object) =>
      (await post(server, { ...amounts, ...more })).body.results.map(
        ({ status }: { status: string }) => status,
      );
    expect(await statuses(make(), { profile: { limit: 10 } })).toEqual(["OK", "NO_MATCH"]);
    expect(await statuses(make(), { profile: null })).toEqual(["INVALID_PROFILE", "INVALID_PROFILE"]);
    const naming = make({
      profiles: { ...profiles, "outcomes#strict": { limit: 1 } },
      callerProfiles: { outcomes: ["strict"] },
    });
    expect(await statuses(naming, { profileName: "strict" })).toEqual(["NO_MATCH", "NO_MATCH"]);
    const code = async (options: Options, more: object) =>
      (await post(make(options), { ...amounts, ...more })).body.code;
    expect(await code({}, { profileName: "lax" })).toBe("PROFILE_NOT_OFFERED");
    expect(await code({ profileOverride: false }, { profile: { limit: 1 } })).toBe(
      "PROFILE_OVERRIDE_FORBIDDEN",
    );
  });

  it.each([
    ["without inputs", { input: { end: "ok" } }],
    ["with inputs that are no list", { inputs: { end: "ok" } }],
    ["that is a list", [{ end: "ok" }]],
    ["that is empty", ""],
  ])("%s is 400", async (_how, body) => {
    expect(await post(make(), body)).toMatchObject({
      status: 400,
      body: { error: "The request body must have a list 'inputs'", code: "MISSING_INPUTS" },
    });
  });

  it("is refused as a whole when it is too long, not JSON, compressed, too large or nobody's", async () => {
    const three = { inputs: [1, 2, 3] };
    expect(await post(make({ maxBatch: 2 }), three)).toMatchObject({
      status: 400,
      body: { error: "Too many inputs: at most 2", code: "BATCH_TOO_LARGE" },
    });
    expect((await post(make({ maxBatch: 3 }), three)).status).toBe(200);
    const many = (count: number) => ({ inputs: Array.from({ length: count }, () => 0) });
    expect({
      of1000: (await post(make(), many(1000))).status,
      of1001: (await post(make(), many(1001))).status,
    }).toEqual({ of1000: 200, of1001: 400 });
    expect(await post(make(), '{"inputs":[')).toMatchObject({ status: 400, body: { code: "INVALID_JSON" } });
    expect(await post(make({ bodyLimit: 10 }), three)).toMatchObject({ status: 413 });
    const path = "/decisions/outcomes/batch";
    expect((await post(make(), three, path, { "content-encoding": "gzip" })).status).toBe(415);
    expect((await post(make(), three, path, { "content-type": "text/plain" })).status).toBe(415);
    const guarded = make({ authenticate: apiKeys({ keys: ["key"] }) });
    expect((await post(guarded, three)).status).toBe(401);
    expect((await post(guarded, three, path, { "x-api-key": "key" })).status).toBe(200);
  });
});

describe("each input of a batch", () => {
  it("has its hooks, its count, its record, and its line in the log", async () => {
    const before: HookContext[] = [];
    const ended: string[] = [];
    const events: EvaluationEvent[] = [];
    const log = new MemoryLog();
    const logger = recordingLogger();
    const server = make({
      hooks: {
        beforeEvaluate: (context) => void before.push(context),
        afterEvaluate: (context) => void ended.push(`after ${JSON.stringify(context.input)}`),
        onError: (context) => void ended.push(`error ${JSON.stringify(context.input)}`),
      },
      observers: [{ onEvaluated: (event) => void events.push(event) }],
      log,
      logger,
    });
    const { headers } = await post(server, { inputs }, "/decisions/outcomes/batch", {
      "x-request-id": "mine",
    });
    expect(headers["x-request-id"]).toBe("mine");
    expect(before.map(({ input, requestId }) => [input, requestId])).toEqual(
      inputs.map((input) => [input, "mine"]),
    );
    expect(ended.toSorted()).toEqual(
      ['after {"end":"ok","amount":7}', 'after {"end":"ok"}', 'error {"end":"throw"}'].toSorted(),
    );
    expect(events.map(({ status }) => status)).toEqual([
      "OK",
      "ERROR",
      "INVALID_INPUT",
      "NO_MATCH",
      "INVALID_INPUT",
      "OK",
    ]);
    expect(log.kept.map(({ requestId }) => requestId)).toEqual(inputs.map(() => "mine"));
    expect(logger.entries).toHaveLength(1);
  });

  it("keeps its place, whichever is evaluated first", async () => {
    const order: number[] = [];
    const waiting: (() => void)[] = [];
    const server = make({
      hooks: {
        beforeEvaluate: ({ input }) =>
          new Promise<void>((resolve) => {
            order.push(Number(Reflect.get(Object(input), "amount")));
            waiting.push(resolve);
          }),
      },
    });
    const amounts = Array.from({ length: 10 }, (_, amount) => ({ end: "ok", amount: amount * 20 }));
    const reply = post(server, { inputs: amounts });
    await expect.poll(() => waiting).toHaveLength(10);
    for (const release of waiting.toReversed()) release();
    const { results } = (await reply).body;
    expect(order).toEqual(amounts.map(({ amount }) => amount));
    expect(results.map(({ status }: { status: string }) => status)).toEqual(
      amounts.map(({ amount }) => (amount <= 100 ? "OK" : "NO_MATCH")),
    );
  });

  it("may be refused by a hook, or lack a record, without the others", async () => {
    const log = new MemoryLog();
    const server = make({
      log,
      hooks: {
        beforeEvaluate: ({ input }) => {
          const amount: unknown = Reflect.get(Object(input), "amount");
          if (amount === 1)
            throw Object.assign(new Error("Not this one"), { statusCode: 403, code: "NOT_YOURS" });
          if (amount === 2) log.isAvailable = false;
        },
      },
    });
    const { body } = await post(server, {
      inputs: [0, 1, 2].map((amount) => ({ end: "ok", amount })),
    });
    expect(body.results).toMatchObject([
      { status: "OK" },
      { error: "Not this one", code: "NOT_YOURS" },
      { status: "OK" },
    ]);
    expect((await post(server, { inputs: [{ end: "ok" }] })).body.results).toEqual([
      { error: "The decision cannot be recorded", code: "RECORD_UNAVAILABLE" },
    ]);
  });
});
