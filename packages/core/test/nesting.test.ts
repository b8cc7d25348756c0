import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { isNestedTooDeeply, maxNesting } from "../src/base/json.js";
import { createEvaluator, defineDecision, evaluate } from "../src/index.js";

/** A value with a number of nested objects and lists. */
function nested(levels: number, end: unknown = 1): unknown {
  let value = end;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { n: value } : [value];
  return value;
}

/** Walks down a value recursively, as rules and schemas do. */
function levelsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

const follows = z.unknown().refine((value) => levelsOf(value) >= 0);

/** Accepts anything and returns it. The parameter selects which part walks down the value. */
function echo(who: "rule" | "explanation" | "output" | "nobody") {
  return defineDecision({
    id: "echo",
    version: "1",
    inputSchema: z.unknown(),
    outputSchema: who === "output" ? z.object({ input: follows }) : z.object({ input: z.unknown() }),
    profileSchema: z.unknown(),
    rules: [
      {
        id: "r",
        when: (input, profile) => who !== "rule" || levelsOf([input, profile]) >= 0,
        emit: (input) => ({ input }),
        explain: (input, profile) => (who === "explanation" ? `${levelsOf([input, profile])} levels` : "any"),
      },
    ],
  });
}

const depth = [{ path: "", message: "is nested too deeply", keyword: "depth" }];

describe("a value with more levels than anything can follow", () => {
  it.each(["rule", "explanation", "output"] as const)(
    "is the sender's mistake if the %s fails on it",
    (who) => {
      const decision = echo(who);
      expect(evaluate(decision, nested(maxNesting)).status).toBe("OK");
      expect(evaluate(decision, nested(50_000))).toMatchObject({ status: "INVALID_INPUT", errors: depth });
      if (who === "output") return;
      expect(evaluate(decision, {}, nested(50_000))).toMatchObject({
        status: "INVALID_PROFILE",
        errors: depth,
      });
    },
  );

  it("does not excuse a rule that fails on other values", () => {
    const decision = defineDecision({
      id: "fails",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.number(),
      profileSchema: z.unknown(),
      rules: [{ id: "r", when: () => Number((1).toFixed(200)) === 1, emit: () => 1 }],
    });
    expect(() => evaluate(decision, nested(maxNesting))).toThrow(
      expect.objectContaining({ code: "EVALUATION_FAILED", cause: expect.any(RangeError) }),
    );
  });

  it("is refused before hooks get a result that cannot be copied", async () => {
    const onError = vi.fn();
    const afterEvaluate = vi.fn();
    const evaluator = createEvaluator({ hooks: { afterEvaluate, onError } });
    expect(await evaluator.evaluate(echo("nobody"), { input: nested(maxNesting) })).toMatchObject({
      status: "OK",
    });
    expect(await evaluator.evaluate(echo("nobody"), { input: nested(maxNesting + 1) })).toMatchObject({
      status: "INVALID_INPUT",
      errors: depth,
    });
    expect({
      afterEvaluateCalls: afterEvaluate.mock.calls.length,
      onErrorCalls: onError.mock.calls.length,
    }).toEqual({ afterEvaluateCalls: 1, onErrorCalls: 0 });
  });

  it("is also the sender's mistake if beforeEvaluate fails on it", async () => {
    const beforeEvaluate = ({ input }: { input: unknown }) => void structuredClone(input);
    const onError = vi.fn();
    const evaluator = createEvaluator({ hooks: { beforeEvaluate, onError } });
    expect(await evaluator.evaluate(echo("nobody"), { input: nested(50_000) })).toMatchObject({
      status: "INVALID_INPUT",
    });
    expect(onError).not.toHaveBeenCalled();
  });
});

describe("levels", () => {
  it.each([0, 1, 15, 16, 17, 200, maxNesting])(
    "%d are allowed, with any other parts beside them",
    (levels) => {
      expect(isNestedTooDeeply(nested(levels))).toBe(false);
      expect(isNestedTooDeeply(Array.from({ length: 300 }, () => nested(Math.max(0, levels - 1))))).toBe(
        false,
      );
    },
  );

  it("above the limit are found anywhere", () => {
    expect(isNestedTooDeeply(nested(maxNesting + 1))).toBe(true);
    const wide = Array.from({ length: 5_000 }, (_, index) => ({ index, list: [[]] }));
    expect(isNestedTooDeeply([wide, nested(maxNesting), wide])).toBe(true);
    expect(isNestedTooDeeply([wide, nested(maxNesting - 1), wide])).toBe(false);
  });

  it("are not counted in the host's own objects or in circular references", () => {
    class Node {
      readonly next: unknown;
      constructor(next: unknown) {
        this.next = next;
      }
    }
    let chain: unknown;
    for (let index = 0; index < 2 * maxNesting; index += 1) chain = new Node(chain);
    expect(isNestedTooDeeply({ chain })).toBe(false);
    const nodes = Array.from({ length: 1_000 }, () => ({ others: [] as unknown[] }));
    for (const node of nodes) node.others.push(...nodes);
    expect(isNestedTooDeeply(nodes)).toBe(false);
    const failing = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("a getter");
      },
    });
    expect(isNestedTooDeeply(failing)).toBe(false);
  });
});
