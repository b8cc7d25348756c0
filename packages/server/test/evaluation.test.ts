import { describe, expect, it, vi } from "vitest";
import { createServer, type ServerOptions } from "../src/index.js";
import { awkward, decisions, profiles } from "./support/decisions.js";
import { fixedClock, instant } from "./support/fixed-clock.js";
import { recordingLogger } from "./support/recording-logger.js";

type Options = Omit<ServerOptions<typeof decisions>, "decisions">;

/** One evaluation on a new server. */
async function post(
  id: string,
  payload: object,
  options: Options = {},
  headers: Record<string, string> = {},
) {
  const server = createServer({ decisions, profiles, clock: fixedClock, logger: false, ...options });
  const reply = await server.handler.inject({ method: "POST", url: `/decisions/${id}`, payload, headers });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}

describe("outcomes of POST /decisions/:id", () => {
  it("replies OK with 200 and the whole envelope", async () => {
    const { status, headers, body } = await post("outcomes", { input: { end: "ok", amount: 7 } });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(body).toEqual({
      status: "OK",
      data: { allowed: true },
      meta: {
        decisionId: "outcomes",
        decisionVersion: "1.2.0",
        matchedRule: "within",
        explanation: "Within 100",
        evaluatedAt: instant,
        evaluatedRules: [
          { ruleId: "never", matched: false },
          { ruleId: "throws", matched: false },
          { ruleId: "within", matched: true, explanation: "Within 100" },
        ],
      },
    });
  });

  it("replies NO_MATCH with 200, a message and no data", async () => {
    const { status, body } = await post("outcomes", { input: { end: "ok", amount: 101 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "NO_MATCH", message: expect.any(String) });
    expect(body).not.toHaveProperty("data");
    expect(Object.keys(body.meta).sort()).toEqual(
      ["decisionId", "decisionVersion", "evaluatedAt", "evaluatedRules", "explanation"].sort(),
    );
  });

  it("replies INVALID_INPUT with 400, a message that names the field, and reduced meta", async () => {
    const { status, body } = await post("outcomes", { input: { end: 4711 } });
    expect(status).toBe(400);
    expect(body.status).toBe("INVALID_INPUT");
    expect(body.message).toContain("end");
    expect(body.errors[0].path).toBe("/end");
    expect(body.meta).toEqual({ decisionId: "outcomes", evaluatedAt: instant });
    expect(JSON.stringify(body)).not.toContain("4711");
  });

  it("treats a null input as present", async () => {
    const { status, body } = await post("outcomes", { input: null });
    expect({ status, bodyStatus: body.status }).toEqual({ status: 400, bodyStatus: "INVALID_INPUT" });
  });

  it("replies INVALID_PROFILE with 400 when the caller's profile does not match its schema", async () => {
    const { status, body } = await post("outcomes", { input: { end: "ok" }, profile: { limit: "x" } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: "INVALID_PROFILE", errors: [{ path: "/limit" }] });
  });

  it("replies INVALID_PROFILE when a required profile is missing", async () => {
    const { status, body } = await post("outcomes", { input: { end: "ok" } }, { profiles: undefined });
    expect({ status, bodyStatus: body.status }).toEqual({ status: 400, bodyStatus: "INVALID_PROFILE" });
  });

  it.each([null, false, 0, ""])("treats the profile %j as present", async (profile) => {
    const { body } = await post("outcomes", { input: { end: "ok" }, profile });
    expect(body.status).toBe("INVALID_PROFILE");
  });

  it("prefers the caller's profile to the default one", async () => {
    const { body } = await post("outcomes", { input: { end: "ok", amount: 7 }, profile: { limit: 6 } });
    expect(body.status).toBe("NO_MATCH");
  });

  it("refuses the caller's profile if the host does not accept one", async () => {
    const { status, body } = await post(
      "outcomes",
      { input: { end: "ok" }, profile: { limit: 6 } },
      { profileOverride: false },
    );
    expect({ status, code: body.code }).toEqual({ status: 403, code: "PROFILE_OVERRIDE_FORBIDDEN" });
  });

  it.each([
    ["a rule that throws", "outcomes", { end: "throw" }],
    ["an output that does not match its schema", "broken", {}],
  ])("masks %s as 500, logs it, and runs onError once", async (_what, id, input) => {
    const logger = recordingLogger();
    const onError = vi.fn();
    const { status, body } = await post(id, { input }, { logger, hooks: { onError } });
    expect(status).toBe(500);
    expect(body).toEqual({ error: "Evaluation failed", code: "EVALUATION_FAILED" });
    expect(onError).toHaveBeenCalledTimes(1);
    expect(logger.entries).toHaveLength(1);
  });

  it("passes on a hook's refusal, with its status and message", async () => {
    const beforeEvaluate = (): never => {
      throw Object.assign(new Error("Quota used up"), { statusCode: 429 });
    };
    const { status, body } = await post("outcomes", { input: { end: "ok" } }, { hooks: { beforeEvaluate } });
    expect(status).toBe(429);
    expect(body.error).toBe("Quota used up");
  });

  it("masks a hook's fault", async () => {
    const beforeEvaluate = (): never => {
      throw new Error("database at 10.0.0.7 is gone");
    };
    const { status, body } = await post("outcomes", { input: { end: "ok" } }, { hooks: { beforeEvaluate } });
    expect(status).toBe(500);
    expect(body).toEqual({ error: "Evaluation failed", code: "EVALUATION_FAILED" });
  });

  it("replies 503 for a hook that never settles", async () => {
    const onError = vi.fn();
    const hooks = { beforeEvaluate: () => new Promise<void>(() => {}), onError };
    const { status, body } = await post("outcomes", { input: { end: "ok" } }, { hooks, hookTimeoutMs: 20 });
    expect({ status, code: body.code }).toEqual({ status: 503, code: "HOOK_TIMEOUT" });
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("replies with the computed result when afterEvaluate throws, and calls onError", async () => {
    const onError = vi.fn();
    const afterEvaluate = (): never => {
      throw new Error("mail server");
    };
    const { status, body } = await post(
      "outcomes",
      { input: { end: "ok" } },
      { hooks: { afterEvaluate, onError } },
    );
    expect({ status, bodyStatus: body.status }).toEqual({ status: 200, bodyStatus: "OK" });
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("swallows and logs an error thrown by onError", async () => {
    const logger = recordingLogger();
    const onError = (): never => {
      throw new Error("again");
    };
    const { status } = await post("outcomes", { input: { end: "throw" } }, { logger, hooks: { onError } });
    expect(status).toBe(500);
    expect(logger.entries.map(({ message }) => message)).toContain("onError failed");
  });

  it("reports every outcome to observers once", async () => {
    const onEvaluated = vi.fn();
    const server = createServer({ decisions, profiles, logger: false, observers: [{ onEvaluated }] });
    const inputs = [{ end: "ok" }, { end: "none" }, { end: 1 }, { end: "throw" }];
    for (const input of inputs) {
      await server.handler.inject({ method: "POST", url: "/decisions/outcomes", payload: { input } });
    }
    await server.handler.inject({ method: "POST", url: "/decisions/unknown", payload: { input: {} } });
    expect(onEvaluated.mock.calls.map(([event]) => event.status)).toEqual([
      "OK",
      "NO_MATCH",
      "INVALID_INPUT",
      "ERROR",
    ]);
  });

  it.each(awkward.map((decision) => [decision.id] as const))("serves a decision called %s", async (id) => {
    const server = createServer({ decisions: awkward });
    const reply = await server.handler.inject({
      method: "POST",
      url: `/decisions/${id}`,
      payload: { input: {} },
    });
    expect(reply.json()).toMatchObject({ status: "OK", meta: { decisionId: id } });
    const schema = await server.handler.inject(`/decisions/${id}/schema`);
    expect(schema.json().id).toBe(id);
  });
});

describe("the request id", () => {
  it("is the caller's when it is valid, in the reply and in hooks", async () => {
    const seen: string[] = [];
    const hooks = { beforeEvaluate: ({ requestId }: { requestId: string }) => void seen.push(requestId) };
    const { headers } = await post(
      "outcomes",
      { input: { end: "ok" } },
      { hooks },
      { "x-request-id": "abc-1._Z" },
    );
    expect(headers["x-request-id"]).toBe("abc-1._Z");
    expect(seen).toEqual(["abc-1._Z"]);
  });

  it.each(["", "a b", "a/b", "é", "x".repeat(129)])("is generated in place of %j", async (given) => {
    const { headers } = await post("outcomes", { input: { end: "ok" } }, {}, { "x-request-id": given });
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it("can be replaced by a hook", async () => {
    const hooks = { beforeEvaluate: () => ({ requestId: "from-hook" }) };
    const { headers } = await post("outcomes", { input: { end: "ok" } }, { hooks });
    expect(headers["x-request-id"]).toBe("from-hook");
  });

  it("is in the log", async () => {
    const logger = recordingLogger();
    await post("outcomes", { input: { end: "throw" } }, { logger }, { "x-request-id": "r-1" });
    expect(logger.entries[0]?.details).toMatchObject({ requestId: "r-1", decisionId: "outcomes" });
  });
});

it("never logs the input", async () => {
  const logger = recordingLogger();
  await post("broken", { input: { password: "hunter2" } }, { logger });
  await post("outcomes", { input: { end: "throw", amount: 271828 } }, { logger });
  expect(logger.entries).toHaveLength(2);
  const { inspect } = await import("node:util");
  expect(inspect(logger.entries, { depth: null })).not.toMatch(/hunter2|271828/);
});
