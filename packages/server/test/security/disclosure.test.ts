import { inspect } from "node:util";
import { ERRORS, type Hooks } from "@decern/core";
import { neverThrowing } from "@decern/core/tools";
import type { LightMyRequestResponse } from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { throwables } from "../../../../test/suites/throwables.js";
import { createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
import { post, probe, recordingLogger } from "./fixtures.js";

const marker = "m4rk3r-of-a-caller";
const number = 271_828_182;
afterEach(() => void vi.restoreAllMocks());

const fail = (): never => {
  throw new Error("The hook is broken");
};
const input = (how: string): object => ({ case: how, secret: marker });
const good = { input: input("matches"), profile: { secret: marker } };

interface Failure {
  readonly body: unknown;
  readonly status: number;
  /** How many lines it writes to the log. */
  readonly lines: number;
  readonly options?: Partial<ServerOptions>;
}

/** Every way in which a request that carries the marker can fail. */
const failures: Readonly<Record<string, Failure>> = {
  "a rule throws": { body: { ...good, input: input("throws") }, status: 500, lines: 1 },
  "a rule returns the input instead of a boolean": {
    body: { ...good, input: input("no boolean") },
    status: 500,
    lines: 1,
  },
  "a rule emits the input, which does not match the output schema": {
    body: { ...good, input: input("breaks") },
    status: 500,
    lines: 1,
  },
  "a rule's explanation is an object of the input": {
    body: { ...good, input: input("explains nothing") },
    status: 500,
    lines: 1,
  },
  "the input is invalid": { body: { input: { ...input("matches"), count: marker } }, status: 400, lines: 0 },
  "the input is a number that is too large": {
    body: { input: { ...input("matches"), count: number } },
    status: 400,
    lines: 0,
  },
  "the profile is invalid": { body: { ...good, profile: { limit: marker } }, status: 400, lines: 0 },
  "the JSON is malformed": { body: `{"input":{"secret":"${marker}"`, status: 400, lines: 0 },
  "the JSON has a forbidden key": {
    body: `{"input":{"secret":"${marker}","__proto__":{"${marker}":1}}}`,
    status: 400,
    lines: 0,
  },
  "the input is missing": { body: { profile: { secret: marker }, [marker]: 1 }, status: 400, lines: 0 },
  "a profile is not accepted": {
    body: good,
    status: 403,
    lines: 0,
    options: { profileOverride: false },
  },
  "the body is too large": { body: { ...good, pad: marker.repeat(70_000) }, status: 413, lines: 0 },
  "beforeEvaluate throws": {
    body: good,
    status: 500,
    lines: 1,
    options: { hooks: { beforeEvaluate: fail } },
  },
  "beforeEvaluate never settles": {
    body: good,
    status: 503,
    lines: 1,
    options: { hookTimeoutMs: 20, hooks: { beforeEvaluate: () => new Promise<never>(() => {}) } },
  },
  "beforeEvaluate returns an invalid value": {
    body: good,
    status: 500,
    lines: 1,
    options: { hooks: { beforeEvaluate: ({ input }) => ({ requestId: JSON.stringify(input) }) } },
  },
  "beforeEvaluate replaces the input with one that makes a rule throw": {
    body: good,
    status: 500,
    lines: 1,
    options: { hooks: { beforeEvaluate: () => ({ input: input("breaks") }) } },
  },
  "afterEvaluate throws": { body: good, status: 200, lines: 1, options: { hooks: { afterEvaluate: fail } } },
  "onError throws": {
    body: { ...good, input: input("throws") },
    status: 500,
    lines: 2,
    options: { hooks: { onError: fail } },
  },
  "an observer throws": {
    body: good,
    status: 200,
    lines: 1,
    options: { observers: [{ onEvaluated: fail }] },
  },
  "authenticate throws": { body: good, status: 500, lines: 1, options: { authenticate: fail } },
};

/** As a logger that omits nothing would write it. */
function written(value: unknown): string {
  return inspect(value, {
    depth: Number.POSITIVE_INFINITY,
    showHidden: true,
    maxStringLength: null,
    getters: true,
  });
}

async function ask(server: DecisionServer, { body }: Failure): Promise<LightMyRequestResponse> {
  return post(server, body, {
    authorization: `Bearer ${marker}`,
    cookie: `session=${marker}`,
    "x-api-key": marker,
    "x-request-id": `${marker} is not a valid id`,
    "user-agent": marker,
    referer: `https://example.org/${marker}`,
  });
}

describe("data that a caller sent", () => {
  it.each(Object.entries(failures))("is not in the log when %s", async (_what, failure) => {
    const logger = recordingLogger();
    const server = createServer({ decisions: [probe], logger, ...failure.options });
    const reply = await ask(server, failure);
    expect(reply.statusCode).toBe(failure.status);
    expect(logger.lines).toHaveLength(failure.lines);
    expect(written(logger.lines)).not.toContain(marker);
    expect(written(logger.lines)).not.toContain(String(number));
  });

  it.each(Object.entries(failures))("is not in the reply when %s", async (_what, failure) => {
    const server = createServer({ decisions: [probe], logger: false, ...failure.options });
    const reply = await ask(server, failure);
    expect(reply.body).not.toContain(marker);
    expect(reply.body).not.toContain(String(number));
    expect(JSON.stringify(reply.headers)).not.toContain(marker);
  });

  it("is not in the default log on standard error either", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const server = createServer({ decisions: [probe] });
    await ask(server, { body: { ...good, input: input("throws") }, status: 500, lines: 1 });
    await ask(server, { body: { ...good, input: input("breaks") }, status: 500, lines: 1 });
    expect(error).toHaveBeenCalledTimes(2);
    expect(written(error.mock.calls)).toContain("The rule is broken");
    expect(written(error.mock.calls)).not.toContain(marker);
    neverThrowing().error({}, "one more");
    expect(error).toHaveBeenCalledTimes(3);
  });

  it("is not in a logged path: the route is logged instead", async () => {
    const logger = recordingLogger();
    const server = createServer({ decisions: [probe], logger });
    server.handler.get("/mine/:id", fail);
    const reply = await server.handler.inject(`/mine/${marker}?key=${marker}`);
    expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
      statusCode: 500,
      json: { error: "Internal server error", code: "INTERNAL_ERROR" },
    });
    expect(logger.lines).toMatchObject([[{ method: "GET", route: "/mine/:id" }, "Request failed"]]);
    expect(written(logger.lines)).not.toContain(marker);
  });

  it("reaches the host's hooks and observers, which may log it", async () => {
    const seen: string[] = [];
    const hooks: Hooks = { onError: (context) => void seen.push(written(context.input)) };
    const observers: ServerOptions["observers"] = [
      { onEvaluated: (event) => void seen.push(written(event.context.input)) },
    ];
    const server = createServer({ decisions: [probe], logger: false, hooks, observers });
    await post(server, { input: input("throws") });
    expect(seen).toEqual([expect.stringContaining(marker), expect.stringContaining(marker)]);
  });
});

describe("no reply contains a stack, a path, a cause or a detail", () => {
  const internals =
    /node_modules|[/\\](src|dist|test)[/\\]|\bat [\w.<>]+ \(|\.[cm]?[jt]s\b|Error\b|broken|file:\/\//;

  it.each(Object.entries(failures))("when %s", async (_what, failure) => {
    const server = createServer({ decisions: [probe], logger: false, ...failure.options });
    const reply = await ask(server, failure);
    expect(reply.body).not.toMatch(internals);
    if (reply.statusCode < 500) return;
    // Exactly the text of the error table, and nothing more.
    const line = Object.entries(ERRORS).find(([code]) => code === reply.json().code);
    expect(reply.json()).toEqual({ error: line?.[1].message, code: line?.[0] });
  });

  it.each([
    ["an error", () => new Error("broken at /srv/app/src/main.ts:1:2")],
    ["an error with a 5xx status", () => Object.assign(new Error("broken"), { statusCode: 503 })],
    ["an error with an invalid status", () => Object.assign(new Error("broken"), { statusCode: "400" })],
    ["a string", () => "broken at /srv/app/src/main.ts"],
    ["nothing", () => undefined],
    ["an object with a toJSON", () => ({ toJSON: () => "broken", statusCode: 200 })],
  ])("when a host's own route throws %s", async (_what, make) => {
    const server = createServer({ decisions: [probe], logger: false });
    server.handler.get("/mine", async () => {
      throw make();
    });
    const reply = await server.handler.inject("/mine");
    expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
      statusCode: 500,
      json: { error: "Internal server error", code: "INTERNAL_ERROR" },
    });
  });
});

describe("any thrown value is a masked 500, even one that cannot be read", () => {
  const masked = [
    { error: "Internal server error", code: "INTERNAL_ERROR" },
    { error: "Evaluation failed", code: "EVALUATION_FAILED" },
  ];

  const places: Readonly<Record<string, (fail: () => never) => Partial<ServerOptions>>> = {
    beforeEvaluate: (fail) => ({ hooks: { beforeEvaluate: fail } }),
    authenticate: (fail) => ({ authenticate: fail }),
    "a host's own route": () => ({}),
    "a logger called for a route's error": (fail) => ({ logger: { error: fail } }),
    "the clock": (fail) => ({ clock: { now: fail, monotonic: () => 0 } }),
  };

  it.each(Object.entries(places))("when it is thrown by %s", async (where, optionsOf) => {
    for (const [what, make] of Object.entries(throwables)) {
      const fail = (): never => {
        throw make();
      };
      const seen: unknown[] = [];
      const server = createServer({
        decisions: [probe],
        logger: { error: (...line) => void seen.push(line) },
        observers: [{ onEvaluated: ({ status }) => void seen.push(status) }],
        ...optionsOf(fail),
      });
      server.handler.get("/mine", async () => fail());
      server.handler.get("/mine/sync", fail);
      const replies = where.includes("route")
        ? [await server.handler.inject("/mine"), await server.handler.inject("/mine/sync")]
        : [await post(server, good)];
      for (const reply of replies) {
        expect({ what, statusCode: reply.statusCode }).toEqual({ what, statusCode: 500 });
        expect(masked).toContainEqual(reply.json());
      }
      // A logger that throws reports nothing.
      expect({ what, isSeen: seen.length > 0 }).toEqual({ what, isSeen: !where.includes("logger") });
    }
  });
});
