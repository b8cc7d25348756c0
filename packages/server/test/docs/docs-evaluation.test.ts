import { defineDecision } from "@decern/core";
import type { InjectOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createServer } from "../../src/index.js";
import { recordingLogger } from "../support/recording-logger.js";

const rate = defineDecision({
  id: "rate",
  version: "1.0.0",
  inputSchema: z.object({ score: z.number() }),
  outputSchema: z.object({ rate: z.number() }),
  profileSchema: z.object({ base: z.number().default(2) }),
  rules: [
    { id: "good", when: (input) => input.score > 500, emit: (_input, profile) => ({ rate: profile.base }) },
  ],
});

const loan = (version: string) =>
  defineDecision({
    id: "loan",
    version,
    uses: [rate],
    inputSchema: z.object({ score: z.number(), fails: z.boolean().optional() }),
    outputSchema: z.object({ rate: z.number() }),
    profileSchema: z.object({ limit: z.number().default(1000) }),
    rules: [
      {
        id: "rated",
        when: (input, _profile, context) => {
          if (input.fails === true) throw new Error("secret of the rule");
          return context.evaluate(rate, { score: input.score }).status === "OK";
        },
        emit: (input, _profile, context) => {
          const result = context.evaluate(rate, { score: input.score });
          return result.status === "OK" ? result.data : { rate: 0 };
        },
        explain: "It has a rate",
      },
    ],
  });

function serve(options: Partial<Parameters<typeof createServer>[0]> = {}) {
  const events: (readonly [string, string])[] = [];
  const server = createServer({
    decisions: [loan("1.0.0"), loan("2.0.0"), loan("3.0.0"), rate],
    versions: {
      loan: {
        default: "2.0.0",
        retired: ["3.0.0"],
        deprecated: { "1.0.0": { since: "2026-01-01", link: "https://example.com/loan" } },
      },
    },
    profiles: { "loan#strict": { limit: 1 }, "loan#internal": { limit: 2 }, rate: { base: 7 } },
    callerProfiles: { loan: ["strict"] },
    bodyLimit: 5000,
    clock: { now: () => 1_800_000_000_000, monotonic: () => 0 },
    logger: recordingLogger(),
    observers: [{ onEvaluated: ({ status, decision }) => void events.push([decision.version, status]) }],
    ...options,
  });
  return { handler: server.handler, events };
}

const requestId = { "x-request-id": "given-1" };
const json = { "content-type": "application/json", ...requestId };

/** Requests for the evaluation route, each with whether an envelope comes back. */
const requests: readonly (InjectOptions & { readonly name: string; readonly envelope?: true })[] = [
  { name: "a match", payload: { input: { score: 700 } }, envelope: true },
  { name: "no match", payload: { input: { score: 1 } }, envelope: true },
  { name: "a wrong input", payload: { input: { score: "x" } }, envelope: true },
  { name: "a wrong profile", payload: { input: { score: 1 }, profile: { limit: "x" } }, envelope: true },
  { name: "a named profile", payload: { input: { score: 700 }, profileName: "strict" }, envelope: true },
  { name: "a profile that is not offered", payload: { input: { score: 1 }, profileName: "internal" } },
  { name: "two profiles", payload: { input: { score: 1 }, profileName: "strict", profile: {} } },
  { name: "no input", payload: {} },
  { name: "an empty body", payload: "", headers: json },
  { name: "a fault", payload: { input: { score: 1, fails: true } } },
  { name: "broken JSON", payload: '{"input":', headers: json },
  { name: "a forbidden key", payload: '{"input":{"__proto__":{}}}', headers: json },
  { name: "another media type", payload: "input", headers: { "content-type": "text/plain", ...requestId } },
  { name: "a body that is too large", payload: { input: { score: "x".repeat(5000) } } },
  { name: "an unknown decision", url: "/decisions/nobody", payload: { input: {} } },
  { name: "an unknown version", url: "/decisions/loan/versions/9", payload: { input: {} } },
  { name: "a retired version", url: "/decisions/loan/versions/3.0.0", payload: { input: {} } },
  {
    name: "a deprecated version",
    url: "/decisions/loan/versions/1.0.0",
    payload: { input: { score: 700 } },
    envelope: true,
  },
  { name: "another method", method: "PUT", payload: { input: {} } },
];

describe("an evaluation for the docs page", () => {
  it.each(requests)("has the status, headers and body of the evaluation route for $name", async (given) => {
    const { name: _name, envelope, url = "/decisions/loan", ...request } = given;
    const plain = serve();
    const traced = serve();
    const send = ({ handler }: typeof plain, prefix: string) =>
      handler.inject({ method: "POST", headers: requestId, ...request, url: `${prefix}${url}` });
    const expected = await send(plain, "");
    const reply = await send(traced, "/docs");
    expect(reply.statusCode).toBe(expected.statusCode);
    // A body with a trace is longer.
    const headersOf = ({ headers }: typeof reply) => ({
      ...headers,
      "content-length": undefined,
      date: undefined,
    });
    if (given.method === undefined) expect(headersOf(reply)).toEqual(headersOf(expected));
    if (envelope) expect(reply.json()).toMatchObject({ envelope: expected.json(), used: expect.any(Array) });
    else expect(reply.json()).toEqual(expected.json());
    expect(traced.events).toEqual(plain.events);
  });

  it("lists what the rules used, with the host's profile for it", async () => {
    const { handler } = serve();
    const reply = await handler.inject({
      method: "POST",
      url: "/docs/decisions/loan",
      payload: { input: { score: 700 } },
    });
    expect(reply.json().envelope.data).toEqual({ rate: 7 });
    expect(reply.json().used).toMatchObject([
      {
        decisionId: "rate",
        version: "1.0.0",
        input: { score: 700 },
        envelope: { status: "OK", data: { rate: 7 }, meta: { matchedRule: "good" } },
        used: [],
      },
    ]);
  });

  it("runs hooks, and sheds load as the evaluation route does", async () => {
    const waiting: (() => void)[] = [];
    const paths: (string | undefined)[] = [];
    const { handler } = serve({
      overload: { maxConcurrent: 1 },
      hookTimeoutMs: 600_000,
      hooks: {
        beforeEvaluate: async ({ request }) => {
          paths.push(request?.path);
          await new Promise<void>((resolve) => waiting.push(resolve));
        },
      },
    });
    const send = (url: string) => handler.inject({ method: "POST", url, payload: { input: { score: 700 } } });
    const first = send("/docs/decisions/loan");
    await expect.poll(() => waiting).toHaveLength(1);
    expect((await send("/decisions/loan")).json()).toMatchObject({ code: "OVERLOADED" });
    expect((await send("/docs/decisions/loan")).json()).toMatchObject({ code: "OVERLOADED" });
    waiting[0]?.();
    expect((await first).json()).toMatchObject({ envelope: { status: "OK" } });
    expect(paths).toEqual(["/docs/decisions/loan"]);
  });

  it("needs the key that evaluations need, and does not exist where docs are off", async () => {
    const secured = serve({ authenticate: ({ headers }) => headers["x-api-key"] === "secret" });
    const closed = serve({ docs: false });
    const send = ({ handler }: typeof secured, url: string, headers = {}) =>
      handler.inject({ method: "POST", url, headers, payload: { input: { score: 700 } } });
    for (const url of ["/docs/decisions/loan", "/docs/decisions/loan/versions/1.0.0"]) {
      expect((await send(secured, url)).statusCode).toBe(401);
      expect((await send(secured, url, { "x-api-key": "secret" })).statusCode).toBe(200);
      expect((await send(closed, url)).json()).toMatchObject({ code: "ROUTE_NOT_FOUND" });
    }
    expect(secured.events).toHaveLength(2);
    expect(closed.events).toEqual([]);
  });
});
