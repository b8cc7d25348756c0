import { type CopyForeign, copyData } from "../base/copy.js";
import type { DecernError } from "../base/errors.js";

/** One rule that was examined. */
export interface EvaluatedRule {
  readonly ruleId: string;
  readonly matched: boolean;
  /** Why it matched; on the rule that matched only. */
  readonly explanation?: string;
}

/** One failing place of an input or profile. */
export interface ValidationIssue {
  /** JSON Pointer into the input or profile; empty for the whole. */
  readonly path: string;
  /** What is expected there. Never the value that was sent. */
  readonly message: string;
  /** The constraint that failed, such as `minimum` or `required`. */
  readonly keyword: string;
}

export interface OkResult<Output = unknown, RuleId extends string = string> {
  readonly status: "OK";
  readonly data: Output;
  readonly meta: {
    readonly decisionId: string;
    readonly decisionVersion: string;
    readonly matchedRule: RuleId;
    readonly explanation: string;
    /** ISO 8601, UTC. */
    readonly evaluatedAt: string;
    readonly evaluatedRules: readonly EvaluatedRule[];
  };
}

export interface NoMatchResult {
  readonly status: "NO_MATCH";
  readonly message: string;
  readonly meta: {
    readonly decisionId: string;
    readonly decisionVersion: string;
    readonly explanation: string;
    readonly evaluatedAt: string;
    readonly evaluatedRules: readonly EvaluatedRule[];
  };
}

export interface InvalidResult<Status extends "INVALID_INPUT" | "INVALID_PROFILE"> {
  readonly status: Status;
  /** One sentence that names the failing fields. */
  readonly message: string;
  /** At most 20. */
  readonly errors: readonly ValidationIssue[];
  readonly meta: { readonly decisionId: string; readonly evaluatedAt: string };
}

/**
 * The envelope: what an evaluation returns, in process and over HTTP.
 *
 * @typeParam RuleId - ids of the decision's rules, where they are known
 */
export type Result<Output = unknown, RuleId extends string = string> =
  | OkResult<Output, RuleId>
  | NoMatchResult
  | InvalidResult<"INVALID_INPUT">
  | InvalidResult<"INVALID_PROFILE">;

export type ResultStatus = Result["status"];

export type ResultMeta = Result["meta"];

/**
 * Copies a result, so that its recipient may change it.
 *
 * @param foreign - decides on data that isn't plain data. @default it is there as a caller reads it: as JSON
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
  const copy = rules.slice();
  for (let index = 0; index < copy.length; index += 1) {
    const rule = copy[index];
    // All results share the frozen entries of the rules that did not match.
    if (rule?.matched === true) copy[index] = { ...rule };
  }
  return copy;
}

/** What a caller is sent of a value that isn't plain data; nothing of what JSON cannot carry. */
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

/**
 * Writes what an envelope decides, and leaves out how it came about.
 *
 * @throws TypeError when the output has no JSON form, and what its `toJSON` throws
 */
export function compactText(result: Result): string {
  switch (result.status) {
    case "OK": {
      const data: string | undefined = JSON.stringify(result.data);
      // No caller gets a success without what was decided.
      if (data === undefined) throw new TypeError("the output has no JSON form");
      return `{"status":"OK","data":${data},"matchedRule":${JSON.stringify(result.meta.matchedRule)}}`;
    }
    case "NO_MATCH":
      return '{"status":"NO_MATCH"}';
    default: {
      const { status, errors } = result;
      return JSON.stringify({ status, errors });
    }
  }
}

/** What one rule makes of an input, whether or not an earlier rule matches it. */
export type ProbedRule = { readonly ruleId: string } & (
  | { readonly outcome: "missed" }
  /** `data` is what the decision would return, were this rule the first to match. */
  | { readonly outcome: "matched"; readonly data: unknown }
  /** Its `when` threw, or it matched and the rest of it failed. A rule may rely on those before it. */
  | { readonly outcome: "failed"; readonly error: DecernError }
);

/** Every rule in order, or the envelope of an input or profile that is refused. */
export type Probed =
  | { readonly refused: Result<never> }
  | { readonly refused: undefined; readonly rules: readonly ProbedRule[] };

/** What would change the result of one call: the nearest changes of one field of its input, the others as they are. */
export interface Explanation {
  /** The result that would change. */
  readonly envelope: Result;
  /** The fields where some change changes it, the nearest change first. */
  readonly fields: readonly FieldExplanation[];
  /** How many evaluations this took. */
  readonly evaluations: number;
  /** Whether every field was searched in full. False where `skipped` names fields, or the budget was too small. */
  readonly complete: boolean;
  /**
   * JSON Pointers of fields that were not searched in full: free text, of which only the schema's `examples` and texts of the
   * profile were tried, numbers and dates with too many values to try each, what holds no value yet, and what the budget was too
   * small for. Absent where there are none.
   */
  readonly skipped?: readonly string[];
}

/** One field of the input. */
export interface FieldExplanation {
  /** As a JSON Pointer into the input. */
  readonly path: string;
  /** The value that it has, with its default filled in. Absent where it has none. */
  readonly value?: unknown;
  /**
   * Nearest first. Of the values of a number or a date: the nearest that changes the result and, unless that is the same, the
   * nearest that changes the rule. Of anything else: all that were found.
   */
  readonly flips: readonly Flip[];
  /** Which rule matches for which values. Present for numbers and dates. */
  readonly bands?: Bands;
}

/** A value of a field that changes the result. */
export interface Flip {
  /** Absent when the field is to be left out. */
  readonly to?: unknown;
  readonly status: "OK" | "NO_MATCH";
  /** Absent when no rule matches. */
  readonly matchedRule?: string;
  readonly explanation?: string;
  /** The output. Absent when no rule matches. */
  readonly data?: unknown;
  readonly changesRule: boolean;
  readonly changesOutput: boolean;
  /** Whether every value of the field that is nearer was tried. Otherwise there may be a nearer one. */
  readonly isNearest: boolean;
}

/** The values of a number or a date, from the lowest that was tried to the highest. */
export interface Bands {
  /** The distance of neighbouring values: of a number as it is, of a date in days. */
  readonly step: number;
  /**
   * Whether no band is missing: every value was tried, or the decision's logic, such as a table, says where bands end. Otherwise a
   * band may lie hidden in another band. Edges are to the step.
   */
  readonly exact: boolean;
  readonly list: readonly Band[];
}

/** Neighbouring values with the same rule. */
export interface Band {
  readonly from: unknown;
  readonly to: unknown;
  /** Of an envelope, or `ERROR`. */
  readonly status: string;
  readonly matchedRule?: string;
}
