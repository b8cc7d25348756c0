import { DecernError } from "../base/errors.js";
import { type JsonSchema, normalizeJsonSchema } from "../base/json-schema.js";
import {
  type Decision,
  type DecisionInfo,
  type DecisionSchema,
  type HasProfile,
  isDecision,
  program,
  whyNoDecision,
} from "./decision.js";
import type { JsonSchemaDialect, ProfileInput, Schema } from "./ports.js";
import type {
  EvaluatedRule,
  InvalidResult,
  NoMatchResult,
  OkResult,
  ResultStatus,
  ValidationIssue,
} from "./result.js";

/** A decision as a listing shows it. */
export function describeDecision(decision: Decision): DecisionInfo {
  const { id, version, description, meta, contentHash } = decision;
  return {
    id,
    version,
    ...(description === undefined ? {} : { description }),
    ...(meta === undefined ? {} : { meta }),
    ...(contentHash === undefined ? {} : { contentHash }),
  };
}

/**
 * The JSON Schema of any schema of the port, in one shape for all vendors.
 *
 * @param direction - `input` for what may be sent, `output` for what comes out of validation
 * @throws what the vendor throws when it does not know the dialect
 */
export function toJsonSchema(
  schema: Schema,
  direction: "input" | "output" = "input",
  dialect: JsonSchemaDialect = "draft-07",
): JsonSchema {
  return normalizeJsonSchema(schema["~standard"].jsonSchema[direction]({ target: dialect }));
}

/** A decision's three schemas: what a caller sends, what `data` is, what a profile looks like. */
export function extractDecisionSchema(
  decision: Decision,
  dialect: JsonSchemaDialect = "draft-07",
): DecisionSchema {
  return {
    id: decision.id,
    version: decision.version,
    inputSchema: toJsonSchema(decision.inputSchema, "input", dialect),
    outputSchema: toJsonSchema(decision.outputSchema, "output", dialect),
    profileSchema: toJsonSchema(decision.profileSchema, "input", dialect),
  };
}

/** Everything that these decisions use, at every depth. */
export function usedBy(decisions: readonly Decision[]): ReadonlySet<Decision> {
  const used = new Set<Decision>();
  const add = (decision: Decision): void => {
    if (used.has(decision)) return;
    used.add(decision);
    decision.uses.forEach(add);
  };
  for (const { uses } of decisions) uses.forEach(add);
  return used;
}

/**
 * Refuses what is not a decision, such as the definition of one.
 *
 * @throws DecernError `INVALID_OPTIONS`
 */
export function checkDecision(decision: unknown): void {
  if (isDecision(decision)) return;
  const message = whyNoDecision(decision);
  throw new DecernError("INVALID_OPTIONS", { problems: [{ path: "/decision", message }] });
}

/**
 * Gives a decision a default profile, which is validated once and not at every evaluation. It is copied: changing what
 * was given changes nothing.
 *
 * @throws DecernError `INVALID_OPTIONS` when the profile breaks its schema
 */
export function withProfile<
  Input,
  Output,
  Profile,
  Id extends string,
  Uses extends readonly Decision[] = readonly Decision[],
  RuleId extends string = string,
  Version extends string = string,
>(
  decision: Decision<Input, Output, Profile, Id, RuleId, Version> & { readonly uses: Uses },
  profile: NoInfer<ProfileInput<Profile>>,
): Decision<Input, Output, Profile, Id, RuleId, Version> & { readonly uses: Uses } & HasProfile;

// Apart from the signature above, since no type of a program tells whether it is bound.
export function withProfile(decision: Decision, profile: unknown): Decision {
  return Object.freeze({ ...decision, [program]: decision[program].bind(profile) });
}

/** The parts of the result envelope that are the same for every decision. */
export type EnvelopePart =
  | "ValidationIssue"
  | "EvaluatedRule"
  | "MatchMeta"
  | "NoMatchMeta"
  | "InvalidMeta"
  | "NoMatchResult"
  | "InvalidInputResult"
  | "InvalidProfileResult";

/** Returns what stands where one part uses another: the part's schema itself, or a reference to it. */
export type UsePart = (part: EnvelopePart, schema: JsonSchema) => JsonSchema;

type Properties<T> = { readonly [Name in keyof T]-?: JsonSchema };

const text: JsonSchema = { type: "string" };

const decisionId: JsonSchema = { type: "string", pattern: "^[A-Za-z0-9._~-]{1,100}$" };

const evaluatedAt: JsonSchema = {
  type: "string",
  format: "date-time",
  description: "When the decision was evaluated: ISO 8601, UTC.",
};

function object<T>(properties: Properties<T>, description?: string): JsonSchema {
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties),
  };
}

function statusSchema(...statuses: readonly ResultStatus[]): JsonSchema {
  return { type: "string", enum: statuses };
}

/** The JSON Schema of an envelope whose rule matched. */
export function okResultSchema(data: JsonSchema, meta: JsonSchema): JsonSchema {
  return object<OkResult>({ status: statusSchema("OK"), data, meta }, "A rule matched.");
}

const validationIssue = object<ValidationIssue>(
  {
    path: { type: "string", description: "JSON Pointer to the failing value; empty for the whole value." },
    message: { type: "string", description: "What the schema expects there." },
    keyword: { type: "string", description: "The constraint that failed, such as `minimum`." },
  },
  "One failing value in the input or the profile.",
);

const evaluatedRule: JsonSchema = {
  ...object<EvaluatedRule>(
    {
      ruleId: text,
      matched: { type: "boolean" },
      explanation: {
        type: "string",
        description: "Why the rule matched. Present only on the rule that matched.",
      },
    },
    "One rule that was evaluated.",
  ),
  required: ["ruleId", "matched"],
};

const invalidMeta = object<InvalidResult<"INVALID_INPUT">["meta"]>({ decisionId, evaluatedAt });

/**
 * Describes the result envelope as JSON Schema, by part. Every document that describes an envelope uses these.
 *
 * @param use - by default every part contains the parts it uses
 */
export function envelopeSchemas(
  use: UsePart = (_part, schema) => schema,
): Readonly<Record<EnvelopePart, JsonSchema>> {
  const evaluatedRules: JsonSchema = {
    type: "array",
    description: "The rules that were evaluated, in order.",
    items: use("EvaluatedRule", evaluatedRule),
  };
  const names = { decisionId, decisionVersion: text };
  const MatchMeta = object<OkResult["meta"]>({
    ...names,
    matchedRule: { type: "string", description: "Id of the rule that matched." },
    explanation: { type: "string", description: "Why the rule matched." },
    evaluatedAt,
    evaluatedRules,
  });
  const NoMatchMeta = object<NoMatchResult["meta"]>({
    ...names,
    explanation: text,
    evaluatedAt,
    evaluatedRules,
  });
  const invalidResult = (status: "INVALID_INPUT" | "INVALID_PROFILE", what: string) =>
    object<InvalidResult<typeof status>>(
      {
        status: statusSchema(status),
        message: { type: "string", description: "One sentence that names the failing fields." },
        errors: { type: "array", maxItems: 20, items: use("ValidationIssue", validationIssue) },
        meta: use("InvalidMeta", invalidMeta),
      },
      `The ${what} does not match its schema.`,
    );
  return {
    ValidationIssue: validationIssue,
    EvaluatedRule: evaluatedRule,
    MatchMeta,
    NoMatchMeta,
    InvalidMeta: invalidMeta,
    NoMatchResult: object<NoMatchResult>(
      { status: statusSchema("NO_MATCH"), message: text, meta: use("NoMatchMeta", NoMatchMeta) },
      "No rule matched.",
    ),
    InvalidInputResult: invalidResult("INVALID_INPUT", "input"),
    InvalidProfileResult: invalidResult("INVALID_PROFILE", "profile"),
  };
}

/** One schema for the envelope of any status: the fields that a match has, of which an invalid call has only some. */
export function anyResultSchema(data: JsonSchema): JsonSchema {
  const { MatchMeta, InvalidMeta } = envelopeSchemas();
  return {
    type: "object",
    properties: {
      status: statusSchema("OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"),
      data,
      meta: { ...MatchMeta, required: InvalidMeta["required"] },
    },
    required: ["status", "meta"],
  };
}
