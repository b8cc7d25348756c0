import { describe, expect, it } from "vitest";
import { tableReply, toErrorReply } from "../src/host.js";
import { createEvaluator, DecernError, type HookContext } from "../src/index.js";
import { checkedOptions } from "../src/options.js";
import { createGeneration } from "../src/tools.js";
import { fixedClock, loan, recordingObserver } from "./fixtures.js";

/** Options as untyped JavaScript may pass them. */
function untyped(options: unknown): Parameters<typeof createEvaluator>[0] {
  return Object.assign({}, options);
}

function problemPaths(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof DecernError && error.code === "INVALID_OPTIONS")
      return error.problems.map(({ path }) => path);
    throw error;
  }
  return [];
}

describe("options of an evaluator", () => {
  it("are refused when a hook or an observer would never be called", () => {
    const observer = recordingObserver();
    expect(problemPaths(() => createEvaluator(untyped({ hook: {} })))).toEqual(["/hook"]);
    expect(problemPaths(() => createEvaluator(untyped({ hooks: { before() {} } })))).toEqual([
      "/hooks/before",
    ]);
    expect(problemPaths(() => createEvaluator(untyped({ hooks: { onError: "log" } })))).toEqual([
      "/hooks/onError",
    ]);
    expect(problemPaths(() => createEvaluator(untyped({ observers: observer })))).toEqual(["/observers"]);
    expect(problemPaths(() => createEvaluator(untyped({ observers: [observer, { observer }] })))).toEqual([
      "/observers/1",
    ]);
    expect(
      problemPaths(() => createEvaluator({ hooks: { onError: undefined }, observers: [observer] })),
    ).toEqual([]);
  });

  it("are refused when a level of the logger or the log would never be called", () => {
    const error = (): void => {};
    expect(problemPaths(() => createEvaluator(untyped({ logger: { error, info: "x" } })))).toEqual([
      "/logger/info",
    ]);
    expect(problemPaths(() => createEvaluator(untyped({ logger: { error, warn: 1 } })))).toEqual([
      "/logger/warn",
    ]);
    expect(problemPaths(() => createEvaluator({ logger: { error, warn: error, info: error } }))).toEqual([]);
    for (const log of [{}, { attach() {} }, () => {}, "records"])
      expect(problemPaths(() => createEvaluator(untyped({ log })))).toEqual(["/log"]);
  });

  it("must be an object", () => {
    const given: object[] = JSON.parse('[null, "x", [], true]');
    for (const options of given) {
      expect(() => checkedOptions("thing", options, {})).toThrow(
        "Invalid options: thing\n  - options must be an object",
      );
    }
    const profiles: Record<string, unknown>[] = JSON.parse('[null, [], "x"]');
    for (const each of profiles) {
      expect(problemPaths(() => createGeneration([loan], each))).toEqual(["/profiles"]);
    }
  });
});

describe("a context that beforeEvaluate changes in place", () => {
  const change = (context: HookContext): HookContext =>
    Object.assign(context, { input: { score: 700 }, profile: { minScore: 900 } });

  it("replaces the fields if it is returned", async () => {
    const seen: HookContext[] = [];
    const evaluator = createEvaluator({
      clock: fixedClock(),
      hooks: { beforeEvaluate: change, afterEvaluate: (context) => void seen.push(context) },
    });
    const result = await evaluator.evaluate(loan, { input: "junk" as unknown, profile: { minScore: 1 } });
    expect(result.meta).toMatchObject({ matchedRule: "too-low" });
    expect(seen).toMatchObject([{ input: { score: 700 }, profile: { minScore: 900 } }]);
  });

  it("stays unchanged if nothing is returned", async () => {
    const seen: HookContext[] = [];
    const evaluator = createEvaluator({
      clock: fixedClock(),
      hooks: {
        beforeEvaluate: (context) => void change(context),
        afterEvaluate: (context) => void seen.push(context),
      },
    });
    const call = { input: { score: 650 }, profile: { minScore: 1 } };
    const result = await evaluator.evaluate(loan, call);
    expect(result.meta).not.toMatchObject({ matchedRule: "too-low" });
    expect(seen).toMatchObject([call]);
  });
});

describe("a refusal", () => {
  it("keeps its message when it is not an Error of this realm", () => {
    const cause = { statusCode: 403, message: "Not you", code: "NOT_YOU" };
    const refused = new DecernError("EVALUATION_ABORTED", { statusCode: 403, cause });
    expect(toErrorReply(refused)).toEqual({ status: 403, code: "NOT_YOU", message: "Not you" });
    const silent = new DecernError("EVALUATION_ABORTED", { cause: { message: 7 } });
    expect(toErrorReply(silent)).toEqual(tableReply("EVALUATION_ABORTED"));
  });
});
