import { DecernError } from "@decern/core";
import { expect, it } from "vitest";
import { openTelemetry } from "../src/index.js";

it("wrong and unknown options are refused, every one of them", () => {
  const options = { tracerProvider: {}, meterProvider: 1, exceptions: "yes", tracer: {} };
  const make = () => Reflect.apply(openTelemetry, undefined, [options]);
  expect(make).toThrow(DecernError);
  try {
    make();
  } catch (error) {
    const problems = error instanceof DecernError ? error.problems : [];
    expect(problems.map(({ path }) => path).toSorted()).toEqual([
      "/exceptions",
      "/meterProvider",
      "/tracer",
      "/tracerProvider/getTracer",
    ]);
  }
});
