import type { EvaluationObserver, Schema, SchemaIssue } from "@decern/core";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import type { Static, TSchema } from "typebox";

const ajv = new Ajv({ allErrors: true, strict: true });
formats.default(ajv);

/** Stands in until the schema package does it. */
export function typebox<T extends TSchema>(type: T): Schema<Static<T>> {
  const check = ajv.compile<Static<T>>(type);
  const text = JSON.stringify(type);
  return {
    "~standard": {
      version: 1,
      vendor: "bench",
      validate: (value) =>
        check(value)
          ? { value }
          : {
              issues: (check.errors ?? []).map(
                (error): SchemaIssue => ({
                  message: error.message ?? "",
                  pointer:
                    error.keyword === "required"
                      ? `${error.instancePath}/${error.params["missingProperty"]}`
                      : error.instancePath,
                  keyword: error.keyword,
                }),
              ),
            },
      jsonSchema: { input: () => JSON.parse(text), output: () => JSON.parse(text) },
    },
  };
}

/** Stands in until the metrics package does it. */
export function metrics(_options: { enabled: boolean }): { readonly observer: EvaluationObserver } {
  const series = new WeakMap<
    object,
    { count: number; sum: number; buckets: Float64Array; matches: Float64Array }
  >();
  const bounds = [
    0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ];
  return {
    observer: {
      onEvaluated(event) {
        let one = series.get(event.decision);
        if (one === undefined) {
          one = { count: 0, sum: 0, buckets: new Float64Array(17), matches: new Float64Array(100) };
          series.set(event.decision, one);
        }
        one.count += 1;
        one.sum += event.durationSeconds;
        let at = 0;
        while (at < bounds.length && event.durationSeconds > (bounds[at] ?? 0)) at += 1;
        one.buckets[at] = (one.buckets[at] ?? 0) + 1;
        if (event.result?.status === "OK") {
          const index = event.result.meta.evaluatedRules.length - 1;
          one.matches[index] = (one.matches[index] ?? 0) + 1;
        }
      },
    },
  };
}
