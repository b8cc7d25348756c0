import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createEvaluator, defineDecision, type OkResult } from "../src/index.js";
import { recordingLogger } from "./fixtures.js";

interface Seen {
  readonly answer: unknown;
  readonly copies: readonly OkResult[];
  readonly errors: readonly unknown[];
}

/** What a caller, `afterEvaluate` and an observer get for an output. */
async function seen(data: unknown): Promise<Seen> {
  const decision = defineDecision({
    id: "any",
    version: "1",
    inputSchema: z.unknown(),
    outputSchema: z.any(),
    profileSchema: z.object({}),
    rules: [{ id: "r", when: () => true, emit: () => data }],
  });
  const copies: OkResult[] = [];
  const errors: unknown[] = [];
  const evaluator = createEvaluator({
    logger: recordingLogger(),
    hooks: {
      afterEvaluate: (_context, result) => void copies.push(result),
      onError: (_context, error) => void errors.push(error),
    },
    observers: [
      { onEvaluated: ({ result }) => void (result?.status === "OK" ? copies.push(result) : undefined) },
    ],
  });
  const answer = await evaluator.evaluate(decision, { input: {} });
  return { answer: answer.status === "OK" ? answer.data : answer, copies, errors };
}

class Money {
  readonly #cents: number;
  readonly currency = "EUR";
  constructor(cents: number) {
    this.#cents = cents;
  }
  toJSON(): string {
    return `${this.#cents} ${this.currency}`;
  }
}

class Verdict {
  readonly allowed = true;
  explain = (): string => "because";
}

const circular: Record<string, unknown> = { list: [1] };
circular["self"] = circular;

const hostile = new Proxy(new Verdict(), {
  get() {
    throw new Error("must not be read");
  },
});

describe("the output that afterEvaluate and observers get", () => {
  it.each([
    ["a method", { ok: true, toString: () => "x" }],
    ["a proxy", new Proxy({ ok: true, deep: new Proxy([1, { a: 2 }], {}) }, {})],
    ["an instance with functions", { ok: new Verdict() }],
    ["an instance with a toJSON", { price: new Money(150), list: [new Money(1)] }],
    ["an object with a toJSON", { raw: 1, toJSON: () => ({ raw: 2 }) }],
    [
      "a getter",
      {
        get now() {
          return 1;
        },
      },
    ],
    ["no prototype", Object.assign(Object.create(null), { a: 1 })],
    ["a symbol", { a: Symbol("x"), b: 1 }],
    ["a key that every object inherits", JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
    ["an expression and an address", { at: new URL("https://example.org/"), what: [null, undefined, true] }],
  ])("equals what a caller reads, with %s", async (_what, data) => {
    const { answer, copies, errors } = await seen(data);
    expect(answer).toBe(data);
    expect(copies).toHaveLength(2);
    for (const copy of copies) {
      expect(JSON.stringify(copy.data)).toBe(JSON.stringify(data));
      expect(copy.data).not.toBe(data);
    }
    expect(errors).toEqual([]);
  });

  it.each([
    ["contains itself", circular],
    ["is a bigint", 1n],
    ["has a part that cannot be read", { fine: 1, hostile }],
    ["is nested deeper than the stack", nested(200_000)],
  ])("is also present when the output %s", async (_what, data) => {
    const { copies, errors } = await seen(data);
    expect(copies.map(({ status }) => status)).toEqual(["OK", "OK"]);
    expect(errors).toEqual([]);
  });

  it("keeps dates, maps, sets and bytes", async () => {
    const data = { at: new Date(1), map: new Map([[{ a: 1 }, new Set([2])]]), bytes: new Uint8Array([3]) };
    const { copies } = await seen(data);
    for (const copy of copies) {
      expect(copy.data).toEqual(data);
      expect(copy.data).not.toBe(data);
    }
  });

  it("equals what a caller reads, for any output", async () => {
    const anything = fc.anything({
      withDate: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
      withBoxedValues: true,
      withMap: true,
      withSet: true,
    });
    const proxies = fc.object({ maxDepth: 2 }).map((object) => new Proxy(object, {}));
    const methods = anything.map((value) => ({ value, toString: () => "x", list: [value] }));
    // An output without a JSON form is a fault, and is not copied.
    const outputs = fc.oneof(anything, proxies, methods).filter((data) => JSON.stringify(data) !== undefined);
    await fc.assert(
      fc.asyncProperty(outputs, async (data) => {
        const { copies, errors } = await seen(data);
        for (const copy of copies) expect(JSON.stringify(copy.data)).toBe(JSON.stringify(data));
        expect({ copyCount: copies.length, errors }).toEqual({ copyCount: 2, errors: [] });
      }),
      { numRuns: 500 },
    );
  });
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
