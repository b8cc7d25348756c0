import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { TSchema } from "typebox";
import type { PlainRule } from "../workload/loan-approval.js";

/** What the reference evaluates. */
export interface ReferenceSource<Input, Output, Profile> {
  readonly id: string;
  readonly version: string;
  readonly input: TSchema;
  readonly output: TSchema;
  readonly profile: TSchema;
  readonly rules: readonly PlainRule<Input, Output, Profile>[];
}

export type ReferenceResult<Output> =
  | {
      readonly status: "OK";
      readonly data: Output;
      readonly meta: {
        readonly decisionId: string;
        readonly decisionVersion: string;
        readonly matchedRule: string;
        readonly explanation: string;
        readonly evaluatedAt: string;
        readonly evaluatedRules: readonly Trace[];
      };
    }
  | {
      readonly status: "INVALID_INPUT";
      readonly message: string;
      readonly errors: readonly {
        readonly path: string;
        readonly message: string;
        readonly keyword: string;
      }[];
      readonly meta: { readonly decisionId: string; readonly evaluatedAt: string };
    };

interface Trace {
  readonly ruleId: string;
  readonly matched: boolean;
  readonly explanation?: string;
}

/**
 * What a good programmer would write by hand for one decision: AJV validators, a plain loop, the full envelope and trace.
 * It has no hooks, observers, other schema vendors, nor checks of what a rule answers. Decern is measured against it.
 *
 * @param withTricks - keeps the timestamp's text while the millisecond lasts, shares the trace entries of misses, and validates
 * the fixed profile once
 */
export function createReference<Input, Output, Profile>(
  source: ReferenceSource<Input, Output, Profile>,
  profile: Profile,
  withTricks = true,
): (input: unknown) => ReferenceResult<Output> {
  const ajv = new Ajv({ allErrors: true, strict: true });
  formats.default(ajv);
  const isInput = ajv.compile<Input>(source.input);
  const isOutput = ajv.compile<Output>(source.output);
  const isProfile = ajv.compile<Profile>(source.profile);
  const { id, version, rules } = source;
  const misses: readonly Trace[] = rules.map((rule) => ({ ruleId: rule.id, matched: false }));
  if (!isProfile(profile)) throw new TypeError("the profile breaks its schema");

  let lastMs = 0;
  let lastText = "";
  const timestamp = (): string => {
    if (!withTricks) return new Date().toISOString();
    const now = Date.now();
    if (now !== lastMs) {
      lastMs = now;
      lastText = new Date(now).toISOString();
    }
    return lastText;
  };

  return (input) => {
    const evaluatedAt = timestamp();
    if (!isInput(input)) return invalid(id, isInput, evaluatedAt);
    if (!withTricks && !isProfile(profile)) throw new TypeError("the profile breaks its schema");
    for (let index = 0; index < rules.length; index += 1) {
      const rule = rules[index];
      if (rule === undefined || !rule.when(input, profile)) continue;
      const data = rule.emit(input, profile);
      if (!isOutput(data)) throw new TypeError("the output breaks its schema");
      const explanation = typeof rule.explain === "string" ? rule.explain : rule.explain(input, profile);
      const evaluatedRules: Trace[] = withTricks
        ? misses.slice(0, index)
        : rules.slice(0, index).map((missed) => ({ ruleId: missed.id, matched: false }));
      evaluatedRules.push({ ruleId: rule.id, matched: true, explanation });
      return {
        status: "OK",
        data,
        meta: {
          decisionId: id,
          decisionVersion: version,
          matchedRule: rule.id,
          explanation,
          evaluatedAt,
          evaluatedRules,
        },
      };
    }
    throw new TypeError("no rule matched");
  };
}

function invalid<Input>(
  decisionId: string,
  { errors }: ValidateFunction<Input>,
  evaluatedAt: string,
): ReferenceResult<never> {
  const list = (errors ?? []).map((error) => ({
    path: pathOf(error),
    message: error.message ?? "is invalid",
    keyword: error.keyword,
  }));
  const sentence = list.map(({ path, message }) => `${path} ${message}`).join("; ");
  return {
    status: "INVALID_INPUT",
    message: `Invalid input: ${sentence}`,
    errors: list,
    meta: { decisionId, evaluatedAt },
  };
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  return keyword === "required" ? `${instancePath}/${params["missingProperty"]}` : instancePath;
}
