import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { maxNesting } from "../../packages/core/src/base/json.js";
import type {
  Awaitable,
  Decision,
  EvaluationEvent,
  EvaluatorOptions,
  HookContext,
  Hooks,
} from "../../packages/core/src/index.js";
import { deepDecision, demanding, suiteDecisions } from "./suite-decisions.js";

/** What a host must mount. */
export interface HostOptions extends EvaluatorOptions {
  readonly decisions: readonly Decision[];
  readonly profiles?: Readonly<Record<string, unknown>>;
}

export interface HostRequest {
  /** The id of the decision. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface HostReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface MountedHost {
  /** Posts to a decision. */
  send(request: HostRequest): Promise<HostReply>;
  close?(): Awaitable<unknown>;
}

/** A host that claims to follow the contract. */
export interface HostUnderTest {
  mount(options: HostOptions): Awaitable<MountedHost>;
  /** The body for an input, both as JSON text. @default the input itself */
  wrap?(input: string): string;
  /** Whether a call may carry a profile. @default false */
  readonly profileFromCallers?: boolean;
}

const instant = "2026-03-01T12:00:00.123Z";
const json = "application/json; charset=utf-8";

/** Checks a host against the outcome table: every host has the same codes, envelopes, masking and counts. */
export function hostSuite(name: string, host: HostUnderTest): void {
  const open: MountedHost[] = [];
  afterEach(async () => {
    for (const mounted of open.splice(0)) await mounted.close?.();
  });

  const wrap = host.wrap?.bind(host) ?? ((input: string) => input);

  async function start(options: Partial<HostOptions> = {}) {
    const events: EvaluationEvent[] = [];
    const errors: { context: HookContext; error: unknown }[] = [];
    const after: string[] = [];
    const logged: unknown[] = [];
    const warned: string[] = [];
    const given = options.hooks ?? {};
    const hooks: Hooks = {
      ...given,
      afterEvaluate: async (context, result) => {
        after.push(context.requestId);
        await given.afterEvaluate?.(context, result);
      },
      onError: async (context, error) => {
        errors.push({ context, error });
        await given.onError?.(context, error);
      },
    };
    const mounted = await host.mount({
      decisions: suiteDecisions,
      clock: { now: () => Date.parse(instant), monotonic: () => 0 },
      logger: {
        error: (details) => logged.push(details),
        warn: (_details, message) => warned.push(message),
      },
      ...options,
      observers: [...(options.observers ?? []), { onEvaluated: (event) => events.push(event) }],
      hooks,
    });
    open.push(mounted);
    const send = (id: string, body: string | undefined, headers: Record<string, string> = {}) =>
      mounted.send({ id, body, headers: { "content-type": "application/json", ...headers } });
    const ask = (input: unknown, id = "probe", headers: Record<string, string> = {}) =>
      send(id, wrap(JSON.stringify(input)), headers);
    const counted = () => events.map((event) => event.status);
    return { send, ask, mounted, events, counted, errors, after, logged, warned };
  }

  function expectReply(reply: HostReply, status: number, body: unknown): void {
    expect({ status: reply.status, body: JSON.parse(reply.body) }).toEqual({ status, body });
    expect(reply.headers["content-type"]).toBe(json);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
    expect(reply.headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  }

  const envelope = {
    ok: {
      status: "OK",
      data: { answer: 'text with "quotes" and ünïcode \u2028' },
      meta: {
        decisionId: "probe",
        decisionVersion: "2.1.0",
        matchedRule: "matches",
        explanation: 'The case is "matches"',
        evaluatedAt: instant,
        evaluatedRules: [
          { ruleId: "throws", matched: false },
          { ruleId: "breaks-its-output", matched: false },
          { ruleId: "matches", matched: true, explanation: 'The case is "matches"' },
        ],
      },
    },
    noMatch: {
      status: "NO_MATCH",
      message: "No rule matched",
      meta: {
        decisionId: "probe",
        decisionVersion: "2.1.0",
        explanation: "No rule matched",
        evaluatedAt: instant,
        evaluatedRules: [
          { ruleId: "throws", matched: false },
          { ruleId: "breaks-its-output", matched: false },
          { ruleId: "matches", matched: false },
        ],
      },
    },
    invalidInput: {
      status: "INVALID_INPUT",
      message: "Invalid input: /case must be string",
      errors: [{ path: "/case", message: "must be string", keyword: "type" }],
      meta: { decisionId: "probe", evaluatedAt: instant },
    },
    invalidProfile: {
      status: "INVALID_PROFILE",
      message: "Invalid profile: /limit is required",
      errors: [{ path: "/limit", message: "is required", keyword: "required" }],
      meta: { decisionId: "demanding", evaluatedAt: instant },
    },
    failed: { error: "Evaluation failed", code: "EVALUATION_FAILED" },
  };

  describe(`${name}: outcomes`, () => {
    it("replies OK with 200 and the whole envelope; afterEvaluate runs", async () => {
      const { ask, counted, errors, after } = await start();
      expectReply(await ask({ case: "matches" }), 200, envelope.ok);
      expect({ counted: counted(), errorCount: errors.length, afterCount: after.length }).toEqual({
        counted: ["OK"],
        errorCount: 0,
        afterCount: 1,
      });
    });

    it("replies NO_MATCH with 200 and no data; no hook runs", async () => {
      const { ask, counted, errors, after } = await start();
      expectReply(await ask({ case: "other" }), 200, envelope.noMatch);
      expect({ counted: counted(), errorCount: errors.length, afterCount: after.length }).toEqual({
        counted: ["NO_MATCH"],
        errorCount: 0,
        afterCount: 0,
      });
    });

    it("replies INVALID_INPUT with 400 and the failing fields, never the value", async () => {
      const { ask, counted, errors, after } = await start();
      const reply = await ask({ case: 271_828 });
      expectReply(reply, 400, envelope.invalidInput);
      expect(reply.body).not.toContain("271828");
      expect({ counted: counted(), errorCount: errors.length, afterCount: after.length }).toEqual({
        counted: ["INVALID_INPUT"],
        errorCount: 0,
        afterCount: 0,
      });
    });

    it.each(["null", "[]", '"text"', "1", "true"])(
      "replies INVALID_INPUT for the input %s",
      async (input) => {
        const { send, counted } = await start();
        const reply = await send("probe", wrap(input));
        expect({ replyStatus: reply.status, status: JSON.parse(reply.body).status }).toEqual({
          replyStatus: 400,
          status: "INVALID_INPUT",
        });
        expect(counted()).toEqual(["INVALID_INPUT"]);
      },
    );

    it.each([
      ["lists", "[", "]"],
      ["objects", '{"n":', "}", "1"],
      ["both", '{"n":[', "]}"],
    ])(
      "limits the nesting of a caller's value, in %s: 200 up to the limit, 400 above it",
      async (_kind, open, close, end = "") => {
        const hooks: Hooks = { beforeEvaluate: ({ input }) => void structuredClone(input) };
        const { send, counted, errors, after } = await start({ decisions: [deepDecision], hooks });
        const levels = close.length;
        const most = Math.floor(maxNesting / levels);
        const expected: string[] = [];
        for (const repeated of [most - 1, most, most + 1, 3_000, 10_000, 40_000]) {
          const reply = await send("deep", wrap(open.repeat(repeated) + end + close.repeat(repeated)));
          const { status, errors: issues } = JSON.parse(reply.body);
          if (repeated <= most) {
            expect({ replyStatus: reply.status, status }).toEqual({ replyStatus: 200, status: "OK" });
          } else {
            const issue = { path: "", message: "is nested too deeply", keyword: "depth" };
            expect({ replyStatus: reply.status, status, issues }).toEqual({
              replyStatus: 400,
              status: "INVALID_INPUT",
              issues: [issue],
            });
          }
          expected.push(status);
        }
        expect({ counted: counted(), errorCount: errors.length, afterCount: after.length }).toEqual({
          counted: expected,
          errorCount: 0,
          afterCount: 2,
        });
      },
    );

    if (host.profileFromCallers === true) {
      it("warns once at start about a missing profile, and replies INVALID_PROFILE with 400", async () => {
        const { ask, counted, errors, after, warned } = await start({ decisions: [demanding] });
        expect(warned).toEqual([expect.stringContaining("/profiles/demanding")]);
        expectReply(await ask({ case: "matches" }, "demanding"), 400, envelope.invalidProfile);
        expect({ counted: counted(), errorCount: errors.length, afterCount: after.length }).toEqual({
          counted: ["INVALID_PROFILE"],
          errorCount: 0,
          afterCount: 0,
        });
        expect(warned).toHaveLength(1);
      });
    } else {
      it("refuses to start without a required profile that no caller can send", async () => {
        await expect(start({ decisions: [demanding] })).rejects.toMatchObject({
          code: "INVALID_OPTIONS",
          problems: [
            {
              path: expect.stringMatching(/^\/(profile|profiles\/demanding)$/),
              message: expect.stringContaining("/limit is required"),
            },
          ],
        });
      });
    }

    it("uses a hook's profile if the host set none, and warns at start", async () => {
      const { ask, warned } = await start({
        decisions: [demanding],
        hooks: { beforeEvaluate: () => ({ profile: { limit: 1 } }) },
      });
      expect(warned).toEqual([expect.stringContaining("/limit is required")]);
      expect((await ask({ case: "matches" }, "demanding")).status).toBe(200);
    });

    it("starts even if the logger cannot warn or fails", async () => {
      const fail = (): never => {
        throw new Error("no log");
      };
      for (const logger of [{ error: fail }, { error: fail, warn: fail }]) {
        const hooks = { beforeEvaluate: () => ({ profile: { limit: 1 } }) };
        const { ask } = await start({ decisions: [demanding], hooks, logger });
        expect((await ask({ case: "matches" }, "demanding")).status).toBe(200);
      }
    });

    it("does not warn about decisions that have a profile or need none", async () => {
      const { ask, warned } = await start({
        decisions: [...suiteDecisions, demanding],
        profiles: { demanding: { limit: 1 } },
      });
      expect((await ask({ case: "matches" }, "demanding")).status).toBe(200);
      expect(warned).toEqual([]);
    });

    it("uses the decision's default profile", async () => {
      const { ask } = await start({ profiles: { probe: { answer: "from the profile" } } });
      expect(JSON.parse((await ask({ case: "matches" })).body).data).toEqual({ answer: "from the profile" });
    });

    it.each(["throws", "breaks"])(
      "masks a decision that %s: 500, onError once, counted once",
      async (how) => {
        const { ask, counted, errors, after, logged } = await start();
        const reply = await ask({ case: how });
        expectReply(reply, 500, envelope.failed);
        expect(reply.body).not.toContain("secret");
        expect({
          counted: counted(),
          errorCount: errors.length,
          afterCount: after.length,
          loggedCount: logged.length,
        }).toEqual({ counted: ["ERROR"], errorCount: 1, afterCount: 0, loggedCount: 1 });
      },
    );

    it("never logs what was sent, for any kind of failure", async () => {
      const sent = "m4rk3r-of-a-caller";
      const fail = (): never => {
        throw new Error("The hook is broken");
      };
      const ways: readonly (readonly [how: string, hooks: Hooks, lines: number])[] = [
        ["throws", {}, 1],
        ["breaks", {}, 1],
        ["matches", { beforeEvaluate: fail }, 1],
        ["matches", { afterEvaluate: fail }, 1],
        ["throws", { onError: fail }, 2],
      ];
      for (const [how, hooks, lines] of ways) {
        const { ask, logged } = await start({ hooks });
        await ask({ case: how, note: sent }, "probe", { authorization: sent, cookie: sent });
        expect(logged).toHaveLength(lines);
        expect(inspect(logged, { depth: 20, showHidden: true, maxStringLength: null })).not.toContain(sent);
      }
    });

    it("sends exactly JSON.stringify of the envelope", async () => {
      const { ask } = await start();
      expect((await ask({ case: "matches" })).body).toBe(JSON.stringify(envelope.ok));
    });
  });

  describe(`${name}: hooks`, () => {
    const refusal = Object.assign(new Error("Token expired"), { statusCode: 401, code: "TOKEN_EXPIRED" });
    const cases: readonly (readonly [string, unknown, number, unknown])[] = [
      ["an error", new Error("secret"), 500, envelope.failed],
      ["an error with a 4xx status", refusal, 401, { error: "Token expired", code: "TOKEN_EXPIRED" }],
      [
        "an error with a 5xx status",
        Object.assign(new Error("secret"), { statusCode: 502 }),
        500,
        envelope.failed,
      ],
      [
        "an error with status 200",
        Object.assign(new Error("secret"), { statusCode: 200 }),
        500,
        envelope.failed,
      ],
      ["a string", "secret", 500, envelope.failed],
      ["undefined", undefined, 500, envelope.failed],
      ["null", null, 500, envelope.failed],
    ];
    it.each(cases)("aborts when beforeEvaluate throws %s", async (_name, thrown, status, body) => {
      for (const beforeEvaluate of [
        () => {
          throw thrown;
        },
        () => Promise.reject(thrown),
      ]) {
        const { ask, counted, errors, after } = await start({ hooks: { beforeEvaluate } });
        const reply = await ask({ case: "matches" });
        expectReply(reply, status, body);
        expect(reply.body).not.toContain("secret");
        expect({
          counted: counted(),
          errors: errors.map(({ error }) => error),
          afterCount: after.length,
        }).toEqual({
          counted: [status < 500 ? "REFUSED" : "ERROR"],
          // A thrown value that is not an error is reported as the error made from it.
          errors: [thrown === undefined ? expect.anything() : thrown],
          afterCount: 0,
        });
      }
    });

    it.each([
      ["a number", 13],
      ["a request id that is not valid", { requestId: "no spaces allowed" }],
      ["a timestamp that is not a date", { timestamp: "now" }],
    ])("treats %s from beforeEvaluate as a fault", async (_name, patch) => {
      // Untyped hooks can return this.
      const beforeEvaluate = (): object => (Object(patch) === patch ? Object(patch) : JSON.parse("13"));
      const { ask, counted, errors } = await start({ hooks: { beforeEvaluate } });
      expectReply(await ask({ case: "matches" }), 500, envelope.failed);
      expect({ counted: counted(), errorCount: errors.length }).toEqual({
        counted: ["ERROR"],
        errorCount: 1,
      });
    });

    it("validates and evaluates the input that beforeEvaluate returned", async () => {
      const { ask } = await start({ hooks: { beforeEvaluate: () => ({ input: { case: "matches" } }) } });
      expectReply(await ask({ case: "other" }), 200, envelope.ok);
      const invalid = await start({ hooks: { beforeEvaluate: async () => ({ input: { case: 1 } }) } });
      expectReply(await invalid.ask({ case: "matches" }), 400, envelope.invalidInput);
    });

    it("stops waiting for a beforeEvaluate that never settles: 503, onError once, counted once", async () => {
      const { ask, counted, errors } = await start({
        hooks: { beforeEvaluate: () => new Promise(() => {}) },
        hookTimeoutMs: 20,
      });
      expectReply(await ask({ case: "matches" }), 503, {
        error: "A hook did not finish in time",
        code: "HOOK_TIMEOUT",
      });
      expect({ counted: counted(), errorCount: errors.length }).toEqual({
        counted: ["ERROR"],
        errorCount: 1,
      });
    });

    it.each([
      [
        "throws",
        () => {
          throw new Error("secret");
        },
      ],
      ["rejects", () => Promise.reject(new Error("secret"))],
      ["never settles", () => new Promise<void>(() => {})],
    ])(
      "sends the computed result when afterEvaluate %s: onError once, counted once",
      async (_name, afterEvaluate) => {
        const { ask, counted, errors } = await start({ hooks: { afterEvaluate }, hookTimeoutMs: 20 });
        expectReply(await ask({ case: "matches" }), 200, envelope.ok);
        expect({ counted: counted(), errorCount: errors.length }).toEqual({ counted: ["OK"], errorCount: 1 });
      },
    );

    it("sends the computed result, whatever afterEvaluate does to its copy", async () => {
      const { ask } = await start({
        hooks: {
          afterEvaluate: (_context, result) => {
            Reflect.set(result, "status", "HACKED");
            Reflect.set(result.meta, "matchedRule", "HACKED");
          },
        },
      });
      expectReply(await ask({ case: "matches" }), 200, envelope.ok);
    });

    it.each([
      [
        "throws",
        () => {
          throw new Error("secret");
        },
      ],
      ["rejects", () => Promise.reject("secret")],
      ["never settles", () => new Promise<void>(() => {})],
    ])("swallows and logs an onError that %s", async (_name, onError) => {
      const { ask, counted, errors, logged } = await start({ hooks: { onError }, hookTimeoutMs: 20 });
      expectReply(await ask({ case: "throws" }), 500, envelope.failed);
      expect({ counted: counted(), errorCount: errors.length, loggedCount: logged.length }).toEqual({
        counted: ["ERROR"],
        errorCount: 1,
        loggedCount: 2,
      });
    });

    it("replies and counts the same when the logger throws", async () => {
      const { ask, counted, errors } = await start({
        logger: {
          error: () => {
            throw new Error("secret");
          },
        },
      });
      expectReply(await ask({ case: "throws" }), 500, envelope.failed);
      expect({ counted: counted(), errorCount: errors.length }).toEqual({
        counted: ["ERROR"],
        errorCount: 1,
      });
    });

    it("replies the same when an observer throws", async () => {
      const { ask, counted, errors, logged } = await start({
        observers: [
          {
            onEvaluated: () => {
              throw new Error("secret");
            },
          },
        ],
      });
      expectReply(await ask({ case: "matches" }), 200, envelope.ok);
      expect({ counted: counted(), errorCount: errors.length, loggedCount: logged.length }).toEqual({
        counted: ["OK"],
        errorCount: 0,
        loggedCount: 1,
      });
    });
  });

  describe(`${name}: request ids`, () => {
    it("keeps a valid one, the same in the reply, hooks and events", async () => {
      const seen: string[] = [];
      const { ask, events, after } = await start({
        hooks: { beforeEvaluate: (context) => void seen.push(context.requestId) },
      });
      const reply = await ask({ case: "matches" }, "probe", { "x-request-id": "trace-1.a_B" });
      expect(reply.headers["x-request-id"]).toBe("trace-1.a_B");
      expect({ seen, after, requestIds: events.map(({ context }) => context.requestId) }).toEqual({
        seen: ["trace-1.a_B"],
        after: ["trace-1.a_B"],
        requestIds: ["trace-1.a_B"],
      });
    });

    it.each(["no spaces", "a".repeat(129), "<script>"])("replaces %j with a new UUID", async (id) => {
      const { ask, events } = await start();
      const replies = [
        await ask({ case: "matches" }, "probe", { "x-request-id": id }),
        await ask({ case: "throws" }, "probe", { "x-request-id": id }),
      ];
      const ids = replies.map((reply) => reply.headers["x-request-id"]);
      for (const fresh of ids)
        expect(fresh).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      expect(new Set(ids).size).toBe(2);
      expect(events.map(({ context }) => context.requestId)).toEqual(ids);
    });
  });

  describe(`${name}: bodies that are the caller's fault`, () => {
    const oversized = wrap(JSON.stringify({ case: "matches", pad: "x".repeat(1_100_000) }));
    const cases: readonly (readonly [string, string | undefined, Record<string, string>, number, string])[] =
      [
        ["malformed JSON", '{"input": {"case": ', {}, 400, "INVALID_JSON"],
        ["malformed JSON", "secret=1", {}, 400, "INVALID_JSON"],
        ["__proto__", wrap('{"case":"matches","__proto__":{"a":1}}'), {}, 400, "FORBIDDEN_KEY"],
        [
          "__proto__ deep inside",
          wrap('{"case":"matches","x":[{"\\u005f_proto__":{}}]}'),
          {},
          400,
          "FORBIDDEN_KEY",
        ],
        [
          "constructor.prototype",
          wrap('{"case":"matches","constructor":{"prototype":{"a":1}}}'),
          {},
          400,
          "FORBIDDEN_KEY",
        ],
        ["more than 1 MiB", oversized, {}, 413, "BODY_TOO_LARGE"],
        ["text", "case=matches", { "content-type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
        [
          "JSON with another content type",
          wrap('{"case":"matches"}'),
          { "content-type": "text/plain" },
          415,
          "UNSUPPORTED_MEDIA_TYPE",
        ],
        [
          "a form",
          "case=matches",
          { "content-type": "application/x-www-form-urlencoded" },
          415,
          "UNSUPPORTED_MEDIA_TYPE",
        ],
      ];
    it.each(cases)(
      "refuses %s with its code; nothing is counted",
      async (_name, body, headers, status, code) => {
        const { send, counted, errors } = await start();
        const reply = await send("probe", body, { "x-request-id": "mine", ...headers });
        expect({ status: reply.status, body: JSON.parse(reply.body) }).toEqual({
          status,
          body: { error: expect.any(String), code },
        });
        expect(reply.headers["content-type"]).toBe(json);
        expect(reply.headers["x-request-id"]).toBe("mine");
        expect(reply.body).not.toContain("secret");
        expect({ counted: counted(), errorCount: errors.length }).toEqual({ counted: [], errorCount: 0 });
      },
    );

    it("accepts a key that merely resembles a forbidden one", async () => {
      const { send } = await start();
      const reply = await send("probe", wrap('{"case":"matches","constructor":"x","proto":{"__proto":1}}'));
      expect(reply.status).toBe(200);
    });

    it("accepts JSON with parameters in its content type", async () => {
      const { ask } = await start();
      const reply = await ask({ case: "matches" }, "probe", {
        "content-type": "Application/JSON; Charset=utf-8",
      });
      expect(reply.status).toBe(200);
    });
  });
}
