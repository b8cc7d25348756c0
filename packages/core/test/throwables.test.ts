import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { secret, throwables } from "../../../test/suites/throwables.js";
import { consoleLogger } from "../src/base/faults.js";
import { asThrowable, toErrorReply } from "../src/host.js";
import {
  createEvaluator,
  DecernError,
  type Decision,
  defineDecision,
  ERRORS,
  type EvaluationObserver,
  type EvaluatorOptions,
  type Reply,
  type Schema,
} from "../src/index.js";
import { createAccessCheck, createRequestHandler, type RequestReader } from "./fixtures-http.js";

const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", collect));
afterAll(() => {
  process.off("unhandledRejection", collect);
  expect(unhandled).toEqual([]);
});

/** Every place that runs code of a decision's author or of a host. */
interface Parts {
  when?: () => boolean;
  emit?: () => unknown;
  explain?: () => string;
  input?: () => unknown;
  output?: () => unknown;
  profile?: () => unknown;
  hooks?: EvaluatorOptions["hooks"];
  observer?: () => void;
  logger?: () => void;
  now?: () => number;
  monotonic?: () => number;
  mapper?: () => unknown;
  resolver?: () => unknown;
  onResult?: () => unknown;
  isDenied?: () => boolean;
  onDeny?: () => unknown;
}

type Fail = () => never;

/** Before the decision is made: never a yes, but a fault that is counted once and reported once. */
const decisive: Readonly<Record<string, (fail: Fail) => Parts>> = {
  when: (fail) => ({ when: fail }),
  emit: (fail) => ({ emit: fail }),
  explain: (fail) => ({ explain: fail }),
  "the input's schema": (fail) => ({ input: fail }),
  "the output's schema": (fail) => ({ output: fail }),
  "the profile's schema": (fail) => ({ profile: fail }),
  beforeEvaluate: (fail) => ({ hooks: { beforeEvaluate: fail } }),
  "beforeEvaluate, later": (fail) => ({ hooks: { beforeEvaluate: async () => fail() } }),
  "a getter of what beforeEvaluate returns": (fail) => ({
    hooks: {
      beforeEvaluate: () => ({
        get input() {
          return fail();
        },
      }),
    },
  }),
  "clock.now": (fail) => ({ now: fail }),
};

/** After the decision: it stands. */
const harmless: Readonly<Record<string, (fail: Fail) => Parts>> = {
  afterEvaluate: (fail) => ({ hooks: { afterEvaluate: fail } }),
  "afterEvaluate, later": (fail) => ({ hooks: { afterEvaluate: async () => fail() } }),
  "an observer": (fail) => ({ observer: fail }),
  "an observer, later": (fail) => ({
    observer: () => Promise.resolve().then(fail),
  }),
  "clock.monotonic": (fail) => ({ monotonic: fail }),
  "onError, after afterEvaluate": (fail) => ({ hooks: { afterEvaluate: fail, onError: fail } }),
  "the logger, after an observer": (fail) => ({ observer: fail, logger: fail }),
};

/** The host's own code around a decision: errors go to the host's error handling. */
const callbacks: Readonly<Record<string, (fail: Fail) => Parts>> = {
  inputMapper: (fail) => ({ mapper: fail }),
  "inputMapper, later": (fail) => ({ mapper: async () => fail() }),
  profileResolver: (fail) => ({ resolver: fail }),
  "profileResolver, later": (fail) => ({ resolver: async () => fail() }),
};

function schema(validate: (() => unknown) | undefined, json: Record<string, unknown> = {}): Schema {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => {
        validate?.();
        return { value };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

interface Told {
  readonly errors: unknown[];
  readonly statuses: string[];
}

function setUp(parts: Parts): {
  readonly decision: Decision;
  readonly options: EvaluatorOptions;
  readonly told: Told;
} {
  const told: Told = { errors: [], statuses: [] };
  const decision: Decision = defineDecision({
    id: "hostile",
    version: "1",
    inputSchema: schema(parts.input),
    outputSchema: schema(parts.output, { properties: { allowed: { type: "boolean" } } }),
    profileSchema: schema(parts.profile),
    rules: [
      {
        id: "r",
        when: parts.when ?? (() => true),
        emit: parts.emit ?? (() => ({ allowed: true })),
        explain: parts.explain ?? "because",
      },
    ],
  });
  const { onError, ...hooks } = parts.hooks ?? {};
  const options: EvaluatorOptions = {
    hooks: {
      ...hooks,
      onError: (context, error) => {
        told.errors.push(error);
        return onError?.(context, error);
      },
    },
    observers: [
      { onEvaluated: () => parts.observer?.() },
      { onEvaluated: (event) => void told.statuses.push(event.status) },
    ],
    logger: { error: () => parts.logger?.() },
    clock: { now: parts.now ?? (() => 0), monotonic: parts.monotonic ?? (() => 0) },
  };
  return { decision, options, told };
}

async function answerInProcess({ decision, options }: ReturnType<typeof setUp>): Promise<unknown> {
  try {
    return await createEvaluator(options).evaluate(decision, { input: {} });
  } catch (error) {
    return error;
  }
}

async function request(parts: Parts, set: ReturnType<typeof setUp>): Promise<Reply> {
  const reader: RequestReader<unknown> = {
    input: parts.mapper ?? (() => ({})),
    ...(parts.resolver === undefined ? {} : { profile: parts.resolver }),
  };
  const handler = createRequestHandler(set.options, set.decision, reader);
  return handler.handle({}, "r", parts.onResult);
}

async function guard(parts: Parts, set: ReturnType<typeof setUp>) {
  const reader: RequestReader<unknown> = {
    input: parts.mapper ?? (() => ({})),
    ...(parts.resolver === undefined ? {} : { profile: parts.resolver }),
  };
  const handler = createRequestHandler(set.options, set.decision, reader);
  return createAccessCheck(set.decision, handler, parts.isDenied)({}, "r", parts.onDeny);
}

function thrower(make: () => unknown): Fail {
  return () => {
    throw make();
  };
}

/** Exactly the text of the error table. */
function expectMasked(reply: Reply): void {
  const { error, code } = JSON.parse(reply.body);
  const row = Object.entries(ERRORS).find(([name]) => name === code);
  expect({ status: reply.status, error }).toEqual({ status: row?.[1].status, error: row?.[1].message });
  expect(reply.status).toBeGreaterThanOrEqual(500);
}

/** How a framework handles an error. */
function expectGoodManners(thrown: unknown): void {
  const error = asThrowable(thrown);
  expect(error instanceof Error).toBe(true);
  for (const key of [
    "message",
    "stack",
    "status",
    "statusCode",
    "code",
    "cause",
    "headers",
    ...Object.keys(error),
  ])
    Reflect.get(error, key);
  expect(typeof String(error)).toBe("string");
}

/** Runs a check for everything that can be thrown, and names the value that failed it. */
async function forWhatever(check: (make: () => unknown) => Promise<void>): Promise<void> {
  for (const [what, make] of Object.entries(throwables)) {
    try {
      await check(make);
    } catch (cause) {
      throw new Error(`${what}: ${cause instanceof Error ? cause.message : "failed"}`, { cause });
    }
  }
}

describe("any value thrown by", () => {
  it.each(Object.entries(decisive))(
    "%s is a masked fault, counted once and reported once",
    (_where, partsOf) =>
      forWhatever(async (make) => {
        const parts = (): Parts => partsOf(thrower(make));
        const inProcess = setUp(parts());
        const error = await answerInProcess(inProcess);
        if (!(error instanceof DecernError)) throw new Error("is not a DecernError");
        expect(toErrorReply(error).status).toBeGreaterThanOrEqual(500);
        const overHttp = setUp(parts());
        expectMasked(await request({}, overHttp));
        const guarded = setUp(parts());
        const verdict = await guard({}, guarded);
        expect({ allowed: verdict.allowed, result: verdict.result }).toEqual({
          allowed: false,
          result: undefined,
        });
        expectGoodManners(verdict.thrown);
        for (const { told } of [inProcess, overHttp, guarded]) {
          expect(told.statuses).toEqual(["ERROR"]);
          expect(told.errors).toHaveLength(1);
          // A host's onError can inspect its argument.
          for (const each of told.errors) expectGoodManners(each);
        }
      }),
  );

  it.each(Object.entries(harmless))("%s leaves the result unchanged", (_where, partsOf) =>
    forWhatever(async (make) => {
      const parts = (): Parts => partsOf(thrower(make));
      const inProcess = setUp(parts());
      expect(await answerInProcess(inProcess)).toMatchObject({ status: "OK", data: { allowed: true } });
      const overHttp = setUp(parts());
      const reply = await request({}, overHttp);
      expect(JSON.parse(reply.body).data).toEqual({ allowed: true });
      expect({ status: reply.status, hostError: reply.hostError }).toEqual({
        status: 200,
        hostError: undefined,
      });
      const guarded = setUp(parts());
      expect((await guard({}, guarded)).allowed).toBe(true);
      for (const { told } of [inProcess, overHttp, guarded]) expect(told.statuses).toEqual(["OK"]);
    }),
  );

  it.each(Object.entries(callbacks))(
    "%s goes to the host's error handling, counted once and reported once",
    (_where, partsOf) =>
      forWhatever(async (make) => {
        const parts = partsOf(thrower(make));
        const overHttp = setUp(parts);
        const reply = await request(parts, overHttp);
        expectMasked(reply);
        expect(reply.hostError).toBeDefined();
        expectGoodManners(reply.hostError?.thrown);
        const guarded = setUp(parts);
        const verdict = await guard(parts, guarded);
        expect({ allowed: verdict.allowed, result: verdict.result }).toEqual({
          allowed: false,
          result: undefined,
        });
        for (const { told } of [overHttp, guarded]) {
          expect(told.statuses).toEqual(["ERROR"]);
          expect(told.errors).toHaveLength(1);
        }
      }),
  );

  it.each([
    ["onResult", (fail: Fail): Parts => ({ onResult: fail })],
    ["onResult, later,", (fail: Fail): Parts => ({ onResult: async () => fail() })],
  ])("%s goes to the host's error handling, reported once and not counted again", (_where, partsOf) =>
    forWhatever(async (make) => {
      const set = setUp({});
      const reply = await request(partsOf(thrower(make)), set);
      expect(reply.hostError).toBeDefined();
      expectGoodManners(reply.hostError?.thrown);
      expect({ statuses: set.told.statuses, errorCount: set.told.errors.length }).toEqual({
        statuses: ["OK"],
        errorCount: 1,
      });
    }),
  );

  it.each([
    ["isDenied", (fail: Fail): Parts => ({ isDenied: fail })],
    ["onDeny", (fail: Fail): Parts => ({ isDenied: () => true, onDeny: fail })],
    ["onDeny, later,", (fail: Fail): Parts => ({ isDenied: () => true, onDeny: async () => fail() })],
  ])("%s denies", (_where, partsOf) =>
    forWhatever(async (make) => {
      const set = setUp({});
      const verdict = await guard(partsOf(thrower(make)), set);
      expect({ allowed: verdict.allowed, result: verdict.result }).toEqual({
        allowed: false,
        result: undefined,
      });
      expect({ statuses: set.told.statuses, errorCount: set.told.errors.length }).toEqual({
        statuses: ["OK"],
        errorCount: 1,
      });
    }),
  );
});

describe("any value returned by", () => {
  /** As untyped JavaScript may. */
  const answerer = (make: () => unknown) => () => make() as never;

  it.each([
    ["when", "boolean", (answer: Fail): Parts => ({ when: answer })],
    ["explain", "string", (answer: Fail): Parts => ({ explain: answer })],
  ])("%s is a fault, counted once, unless it is a %s", (_where, type, partsOf) =>
    forWhatever(async (make) => {
      if (typeof make() === type) return;
      const set = setUp(partsOf(answerer(make)));
      expect(await answerInProcess(set)).toMatchObject({ code: "EVALUATION_FAILED" });
      expect({ statuses: set.told.statuses, errorCount: set.told.errors.length }).toEqual({
        statuses: ["ERROR"],
        errorCount: 1,
      });
    }),
  );

  it.each([
    ["emit", (answer: Fail): Parts => ({ emit: answer })],
    ["inputMapper", (answer: Fail): Parts => ({ mapper: answer })],
    ["profileResolver", (answer: Fail): Parts => ({ resolver: answer })],
    ["onResult", (answer: Fail): Parts => ({ onResult: answer })],
    ["an observer", (answer: Fail): Parts => ({ observer: answer })],
    ["the logger", (answer: Fail): Parts => ({ observer: thrower(() => 1), logger: answer })],
    ["clock.monotonic", (answer: Fail): Parts => ({ monotonic: answer })],
    ["clock.now", (answer: Fail): Parts => ({ now: answer })],
    ["beforeEvaluate", (answer: Fail): Parts => ({ hooks: { beforeEvaluate: answer } })],
    ["afterEvaluate", (answer: Fail): Parts => ({ hooks: { afterEvaluate: answer } })],
    ["isDenied", (answer: Fail): Parts => ({ isDenied: answer })],
  ])("%s ends as a reply, counted once, and grants access only for an exact yes", (where, partsOf) =>
    forWhatever(async (make) => {
      const parts = (): Parts => partsOf(answerer(make));
      const set = setUp(parts());
      const reply = await request(parts(), set);
      expect(set.told.statuses).toHaveLength(1);
      if (reply.status >= 500) expectMasked(reply);
      else expect(JSON.parse(reply.body).status).toBe(set.told.statuses[0]);
      expectGoodManners(reply.hostError?.thrown);
      const verdict = await guard(parts(), setUp(parts()));
      const isYes = where === "isDenied" ? make() === false : where !== "emit";
      if (!isYes) expect(verdict.allowed).toBe(false);
    }),
  );
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -5])(
  "a clock that returns %d results in a duration of 0",
  async (number) => {
    const durations: number[] = [];
    let looks = 0;
    const clock = {
      now: () => 0,
      monotonic: () => {
        looks += 1;
        return looks === 1 ? 0 : number;
      },
    };
    const observer: EvaluationObserver = {
      onEvaluated: ({ durationSeconds }) => void durations.push(durationSeconds),
    };
    await createEvaluator({ clock, observers: [observer] }).evaluate(setUp({}).decision, { input: {} });
    expect(durations).toEqual([0]);
  },
);

it("a refusal is read once, before onError and observers can change it", async () => {
  const refusal = { statusCode: 403, code: "NOT_YOU", message: "Not you" };
  const rewrite = (error: unknown): void =>
    void Object.assign(Object(error), { statusCode: 200, code: "OK", message: secret });
  const set = setUp({
    hooks: { beforeEvaluate: thrower(() => refusal), onError: (_context, error) => rewrite(error) },
  });
  const observer: EvaluationObserver = {
    onEvaluated: ({ error }) => {
      rewrite(Object(error).cause);
      rewrite(error);
    },
  };
  const reply = await request({}, { ...set, options: { ...set.options, observers: [observer] } });
  expect({ status: reply.status, body: JSON.parse(reply.body) }).toEqual({
    status: 403,
    body: { error: "Not you", code: "NOT_YOU" },
  });
});

it("the default logger reports a failure even if the thrown value cannot be written", () => {
  const lines: unknown[][] = [];
  const error = vi.spyOn(console, "error").mockImplementation((...line) => {
    // Like Node's own for an error whose stack cannot be read.
    for (const part of line) for (const value of Object.values(Object(part))) String(Object(value).stack);
    lines.push(line);
  });
  const err = Object.defineProperty(new Error("x"), "stack", { get: thrower(() => ({ secret })) });
  consoleLogger.error({ err }, "Evaluation failed");
  error.mockRestore();
  expect(lines).toEqual([["Evaluation failed"]]);
});
