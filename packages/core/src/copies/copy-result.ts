import type { EvaluatedRule, OkResult, Result } from "../program/result.js";
import { type CopyForeign, copyData } from "./copy-data.js";

/**
 * Copies a result, so that its recipient may change it.
 *
 * @param foreign - decides on data that is no plain data. @default it is there as a caller reads it: as JSON
 */
export function copyResult<Output>(result: Result<Output>, foreign: CopyForeign = asJson): Result<Output> {
  switch (result.status) {
    case "OK":
      return copyOkResult(result, foreign);
    case "NO_MATCH":
      return {
        ...result,
        meta: { ...result.meta, evaluatedRules: copyTrace(result.meta.evaluatedRules) },
      };
    case "INVALID_INPUT":
    case "INVALID_PROFILE":
      return { ...result, errors: result.errors.map((issue) => ({ ...issue })), meta: { ...result.meta } };
  }
}

/** As {@link copyResult}. Only the data can be anything; the rest is ours, and flat. */
export function copyOkResult<Output>(
  result: OkResult<Output>,
  foreign: CopyForeign = asJson,
): OkResult<Output> {
  const { data, meta } = result;
  return {
    status: "OK",
    data: copyData(data, foreign),
    meta: { ...meta, evaluatedRules: copyTrace(meta.evaluatedRules) },
  };
}

function copyTrace(rules: readonly EvaluatedRule[]): readonly EvaluatedRule[] {
  // No spread: most entries are frozen, and the engine spreads a frozen object ten times as slowly.
  return rules.map(({ ruleId, matched, explanation }) =>
    explanation === undefined ? { ruleId, matched } : { ruleId, matched, explanation },
  );
}

/** What a caller is sent of a value that is no plain data; nothing of what JSON cannot carry. */
function asJson(value: object): unknown {
  try {
    // Bytes, errors, expressions. What has a JSON form of its own is sent in that form.
    if (!("toJSON" in value)) return structuredClone(value);
  } catch {
    // Has methods of its own, or is a proxy.
  }
  try {
    const text: unknown = JSON.stringify(value);
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
