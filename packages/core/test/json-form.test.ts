import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { DecernError, type Decision, defineDecision, evaluate, type Schema } from "../src/index.js";
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

const schemas: readonly (readonly [string, Schema])[] = [
  ["z.any()", z.any()],
  ["z.unknown()", z.unknown()],
  ["z.optional()", z.unknown().optional()],
];

describe.each(schemas)("a success always has data, with an output schema %s", (_schema, outputSchema) => {
  it.each([...leftOut, ...silent])("so %s is a fault of the decision", async (_name, data) => {
    const onError = vi.fn();
    const observer = recordingObserver();
    const options = { hooks: { onError }, observers: [observer], logger: recordingLogger() };
    const reply = await send(emitting(data, outputSchema), {}, options);
    expect(reply).toMatchObject({
      status: 500,
      body: '{"error":"Evaluation failed","code":"EVALUATION_FAILED"}',
    });
    expect(onError).toHaveBeenCalledTimes(1);
    expect(observer.events.map(({ status }) => status)).toEqual(["ERROR"]);
  });

  it.each(carried)("and %s is valid data", async (_name, data) => {
    const reply = await send(emitting(data, outputSchema), {});
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toHaveProperty("data", JSON.parse(JSON.stringify(data)));
  });

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
