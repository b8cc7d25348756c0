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
import type { JsonSchemaDialect, ProfileInput, Schema } from "./schema.js";

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
