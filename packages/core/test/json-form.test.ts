import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  createEvaluator,
  DecernError,
  type Decision,
  defineDecision,
  evaluate,
  evaluateMany,
  type Schema,
} from "../src/index.js";
import { recordingLogger, recordingObserver } from "./fixtures.js";
import { send } from "./fixtures-http.js";

function emitting(data: unknown, outputSchema: Schema): Decision {
  return defineDecision({
    id: "emitting",
    version: "1",
    inputSchema: z.unknown(),
    outputSchema,
    profileSchema: z.unknown(),
    rules: [{ id: "all", when: () => true, emit: () => data }],
  });
}

class Silent {
  readonly answer = 1;
  toJSON(): void {}
}

const silentFunction = Object.assign(() => 1, { toJSON: () => undefined });
const leftOut: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["a function", () => 1],
  ["a symbol", Symbol("left out")],
  ["a function whose toJSON returns nothing", silentFunction],
];
const silent: readonly (readonly [string, unknown])[] = [
  ["an object whose toJSON returns nothing", { toJSON: () => undefined }],
  ["an object whose toJSON returns a function", { toJSON: () => () => 1 }],
  ["an instance whose toJSON returns nothing", new Silent()],
  // Only the key distinguishes the envelope's member from the value on its own.
  [
    "an object that omits itself only as `data`",
    { toJSON: (key: string) => (key === "data" ? undefined : 1) },
  ],
];
const carried: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["false", false],
  ["zero", 0],
  ["an empty text", ""],
  ["a date", new Date(0)],
  ["an object whose toJSON returns null", { toJSON: () => null }],
  ["an object whose toJSON is not a function", { toJSON: 1 }],
  ["a function whose toJSON returns a value", Object.assign(() => 1, { toJSON: () => 1 })],
  ["NaN, which JSON writes as null", Number.NaN],
];

const cycle: { self?: unknown } = {};
cycle.self = { list: [cycle] };
const deep = Array.from({ length: 60 }).reduce<object>((inner) => ({ inner }), { ends: 1n });
const shared = { n: 1 };
/** `JSON.stringify` throws for these. */
const unwritable: readonly (readonly [string, unknown])[] = [
  ["a BigInt", 1n],
  ["an object with a BigInt", { n: 1n }],
  ["a list with a BigInt below", [{ list: [0, 1n] }]],
  ["a BigInt below many levels", deep],
  ["a cycle", cycle],
  ["an object whose toJSON throws", { inner: { toJSON: () => JSON.parse("no") } }],
  [
    "an object with a getter that throws",
    {
      get n() {
        return JSON.parse("no");
      },
    },
  ],
];
const written: readonly (readonly [string, unknown])[] = [
  ["an object that is there twice", [shared, { shared }]],
  ["60 levels", Array.from({ length: 60 }).reduce<object>((inner) => ({ inner }), {})],
  ["a date below", { at: new Date(0) }],
  ["a map, which JSON writes as an object", new Map([[1, 1n]])],
];

const schemas: readonly (readonly [string, Schema])[] = [
  ["z.any()", z.any()],
  ["z.unknown()", z.unknown()],
  ["z.optional()", z.unknown().optional()],
];

describe.each(schemas)("a success always has data, with an output schema %s", (_schema, outputSchema) => {
  it.each([...leftOut, ...silent, ...unwritable])("so %s is a fault of the decision", async (_name, data) => {
    const onError = vi.fn();
    const observer = recordingObserver();
    const options = { hooks: { onError }, observers: [observer], logger: recordingLogger() };
    const reply = await send(emitting(data, outputSchema), {}, options);
    expect([reply.status, reply.body]).toEqual([
      500,
      '{"error":"Evaluation failed","code":"EVALUATION_FAILED"}',
    ]);
    expect(onError).toHaveBeenCalledTimes(1);
    expect(observer.events.map(({ status }) => status)).toEqual(["ERROR"]);
  });

  it.each([...carried, ...written])("and %s is valid data", async (_name, data) => {
    const reply = await send(emitting(data, outputSchema), {});
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toHaveProperty("data", JSON.parse(JSON.stringify(data)));
  });

  it.each([...silent, ...unwritable])(
    "also in every way to call it in process: %s is a fault",
    async (_name, data) => {
      const decision = emitting(data, outputSchema);
      const fault = {
        code: "EVALUATION_FAILED",
        message: expect.stringMatching(/rule "all" has no JSON form/),
      };
      expect(() => evaluate(decision, {})).toThrow(expect.objectContaining(fault));
      expect(() => evaluate(decision, {}, {}, { now: new Date(0) })).toThrow(expect.objectContaining(fault));
      expect(evaluateMany(decision, [1, 2])).toEqual([1, 2].map(() => expect.objectContaining(fault)));
      const observer = recordingObserver();
      const evaluator = createEvaluator({ observers: [observer], logger: recordingLogger() });
      expect(() => evaluator.evaluate(decision, { input: {} })).toThrow(expect.objectContaining(fault));
      expect(observer.events.map(({ status }) => status)).toEqual(["ERROR"]);
    },
  );

  it.each([...carried, ...written])(
    "and in process, too, %s is returned as it was emitted",
    (_name, data) => {
      expect(evaluate(emitting(data, outputSchema), {})).toMatchObject({ status: "OK", data });
      expect(evaluateMany(emitting(data, outputSchema), [1])).toMatchObject([{ status: "OK", data }]);
    },
  );

  it.each(leftOut)("also in process: %s is a fault", (_name, data) => {
    let thrown: unknown;
    try {
      evaluate(emitting(data, outputSchema), {});
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(DecernError);
    expect(thrown).toMatchObject({
      code: "EVALUATION_FAILED",
      message: expect.stringMatching(/which JSON leaves out/),
    });
  });
});

describe("an output whose schema excludes what JSON cannot write", () => {
  /** Takes everything, and says something else; counts how often somebody looks into an output. */
  function looked(jsonSchema: Record<string, unknown>): number {
    const output = () => jsonSchema;
    const schema: Schema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value) => ({ value }),
        jsonSchema: { input: output, output },
      },
    };
    let looks = 0;
    const data = Object.defineProperty({}, "n", {
      enumerable: true,
      get: () => {
        looks += 1;
        return 1;
      },
    });
    const decision = emitting(data, schema);
    for (let call = 0; call < 3; call += 1) expect(evaluate(decision, {}).status).toBe("OK");
    return looks;
  }
  const closed = (n: unknown, rest: unknown = false) => ({
    type: "object",
    properties: { n },
    additionalProperties: rest,
  });

  it.each([
    closed({ type: "number" }),
    closed({ enum: ["a", 1] }),
    closed({ const: null }),
    closed({ type: ["string", "null"] }, { type: "boolean" }),
    closed(closed({ type: "array", items: { type: "integer" } })),
    closed({ type: "array", items: [{ type: "string" }], additionalItems: false }),
    { anyOf: [closed({ type: "number" }), { type: "null" }] },
    { allOf: [{}, closed({ type: "number" })] },
  ])("is not looked into: %j", (schema) => {
    expect(looked(schema)).toBe(0);
  });

  it.each([
    {},
    { type: "object" },
    { type: "object", properties: { n: { type: "number" } } },
    closed({}),
    closed(true),
    closed({ type: "number" }, {}),
    closed({ type: "array" }),
    closed({ type: "array", items: [{ type: "string" }] }),
    closed({ $ref: "#" }),
    { anyOf: [closed({ type: "number" }), {}] },
  ])("any other is, once for each evaluation: %j", (schema) => {
    expect(looked(schema)).toBe(3);
  });
});
