import { DecernError } from "../base/errors.js";
import { isJsonObject } from "../base/json.js";
import { type Decision, program } from "./decision.js";
import { definitionProblems } from "./definition-problems.js";
import { LogicProgram } from "./logic-program.js";
import type { InferEmitted, InferInput, InferOutput, Logic, LogicRule, Schema } from "./ports.js";
import type { Rule } from "./rule.js";
import { CompiledProgram } from "./rule-program.js";

/**
 * Any type at all. As constraint of an output it has TypeScript keep the literals that rules emit: without a literal in
 * sight while it infers, `emit: () => ({ tier: "prime" })` is a `string`, and no member of an enum.
 */
type AnyOutput =
  | ""
  | 0
  | false
  | null
  | undefined
  | NonNullable<unknown>
  | readonly AnyOutput[]
  | { readonly [key: string]: AnyOutput };

/** What {@link defineDecision} takes. */
export interface DecisionDefinition<
  InputSchema extends Schema,
  OutputSchema extends Schema<AnyOutput, unknown>,
  ProfileSchema extends Schema,
  Id extends string = string,
  Uses extends readonly Decision[] = readonly Decision[],
  RuleId extends string = string,
  Version extends string = string,
> {
  /** 1 to 100 of `A-Z a-z 0-9 . _ ~ -`, but not `.` or `..`; used in paths and as key of profiles. */
  readonly id: Id;
  /** Reported as `meta.decisionVersion`. */
  readonly version: Version;
  readonly description?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly inputSchema: InputSchema;
  readonly outputSchema: OutputSchema;
  readonly profileSchema: ProfileSchema;
  /** The decisions that rules evaluate, with `context.evaluate(decision, input)`. */
  readonly uses?: Uses | undefined;
  /** In order: the first that matches decides. */
  readonly rules?:
    | readonly (RuleFor<InputSchema, OutputSchema, ProfileSchema, Uses> & { readonly id: RuleId })[]
    | undefined;
  /** A program that isn't a list of rules, such as a decision table. */
  readonly logic?: Logic | undefined;
}

/** A definition has one of these. */
type OneProgram =
  | { readonly rules: readonly object[]; readonly logic?: undefined }
  | { readonly logic: Logic; readonly rules?: undefined };

/**
 * One rule of a definition. The condition holds for every schema: it has TypeScript put in the schemas' types where it checks
 * a rule that has parameters, and not what the schemas are at least.
 */
type RuleFor<
  InputSchema extends Schema,
  OutputSchema extends Schema<AnyOutput, unknown>,
  ProfileSchema extends Schema,
  Uses extends readonly Decision[],
> = OutputSchema extends unknown
  ? Rule<
      NoInfer<InferOutput<InputSchema>>,
      NoInfer<InferEmitted<OutputSchema>>,
      NoInfer<InferOutput<ProfileSchema>>,
      NoInfer<Uses[number]["id"]>
    >
  : never;

/**
 * Defines a decision.
 *
 * @param definition - schemas of any vendor that implements Standard Schema v1 and Standard JSON Schema v1, and `rules` or `logic`
 * @returns the decision, to be given to `evaluate` or to a host
 * @throws DecernError `INVALID_DECISION`, with every problem and its path
 *
 * @example
 * ```ts
 * import { defineDecision, evaluate } from "@decern/core";
 * import { z } from "zod";
 *
 * const access = defineDecision({
 *   id: "access",
 *   version: "1.0.0",
 *   inputSchema: z.object({ role: z.string() }),
 *   outputSchema: z.object({ allowed: z.boolean() }),
 *   profileSchema: z.object({ roles: z.array(z.string()) }),
 *   rules: [
 *     { id: "known-role", when: (input, profile) => profile.roles.includes(input.role), emit: () => ({ allowed: true }) },
 *     { id: "otherwise", when: () => true, emit: () => ({ allowed: false }), explain: "Not one of the roles" },
 *   ],
 * });
 * evaluate(access, { role: "auditor" }, { roles: ["auditor"] }).status; // "OK"
 * ```
 */
export function defineDecision<
  InputSchema extends Schema,
  OutputSchema extends Schema<AnyOutput, unknown>,
  ProfileSchema extends Schema,
  const Id extends string,
  const Uses extends readonly Decision[] = readonly [],
  const RuleId extends string = string,
  const Version extends string = string,
>(
  definition: DecisionDefinition<InputSchema, OutputSchema, ProfileSchema, Id, Uses, RuleId, Version> &
    OneProgram,
): Decision<
  InferInput<InputSchema>,
  InferOutput<OutputSchema>,
  InferInput<ProfileSchema>,
  Id,
  RuleId,
  Version
> & { readonly uses: readonly [...Uses] | readonly [] } {
  const problems = definitionProblems(definition);
  if (problems.length > 0) throw new DecernError("INVALID_DECISION", { ...nameOf(definition), problems });
  const {
    id,
    version,
    description,
    meta,
    inputSchema,
    outputSchema,
    profileSchema,
    uses: given,
  } = definition;
  const uses: readonly [...Uses] | readonly [] = Object.freeze(given === undefined ? [] : [...given]);
  const parts = { id, version, inputSchema, outputSchema, profileSchema, uses };
  // Copies: what is done to the definition afterwards must not change a decision that hosts have checked.
  const rules = (definition.rules ?? []).map(({ id, when, emit, explain }) => ({ id, when, emit, explain }));
  const logic = definition.logic === undefined ? undefined : frozenLogic(definition.logic);
  const described: readonly LogicRule[] = logic?.rules ?? definition.rules ?? [];
  return Object.freeze({
    id,
    version,
    ...(description === undefined ? {} : { description }),
    ...(meta === undefined ? {} : { meta: frozenJson(meta) }),
    ...(logic === undefined ? {} : { contentHash: logic.content.hash }),
    inputSchema,
    outputSchema,
    profileSchema,
    // Without logic, they are those that the definition has.
    ruleIds: Object.freeze(described.map((rule) => rule.id as RuleId)),
    ruleDescriptions: new Map(
      described.flatMap(({ id, description: text }) => (text === undefined ? [] : [[id, text]])),
    ),
    uses,
    [program]:
      logic === undefined
        ? new CompiledProgram({ ...parts, rules })
        : new LogicProgram<InferOutput<OutputSchema>>({ ...parts, logic }),
  });
}

/** The logic as it was checked. What `bind` closes over is its own business. */
function frozenLogic(logic: Logic): Logic {
  const { content, rules } = logic;
  const { hash, mediaType, document } = content;
  const copy = {
    content: Object.freeze({ hash, mediaType, document: frozenJson(document) }),
    rules: Object.freeze(rules.map(({ id, description }) => Object.freeze({ id, description }))),
  };
  const bind = (profile: unknown) => logic.bind(profile);
  return logic.from === undefined ? { ...copy, bind } : { ...copy, bind, from: logic.from.bind(logic) };
}

/**
 * A decision of `logic` as it is with another document: under the same contract, without the profile that a host gave it.
 *
 * @returns `undefined` if its logic makes no other
 * @throws what `from` of its logic throws for a document that does not fit
 */
export function withDocument(decision: Decision, version: string, document: unknown): Decision | undefined {
  const logic = decision[program].from?.(document);
  if (logic === undefined) return undefined;
  const { id, description, meta, inputSchema, outputSchema, profileSchema, uses } = decision;
  return defineDecision<Schema, Schema, Schema, string, readonly Decision[]>({
    id,
    version,
    description,
    meta,
    inputSchema,
    outputSchema,
    profileSchema,
    uses,
    logic,
  });
}

/** The id as detail of an error, where JavaScript callers gave one. */
function nameOf(definition: unknown): { readonly detail?: string } {
  const id: unknown = isJsonObject(definition) ? definition["id"] : undefined;
  return typeof id === "string" && id !== "" ? { detail: JSON.stringify(id.slice(0, 100)) } : {};
}

/**
 * A frozen copy of JSON data, without members that are `undefined`.
 *
 * @param json - that was found to be JSON, so that it isn't nested too deeply
 */
export function frozenJson<T>(json: T): T;

export function frozenJson(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return Object.freeze(json.map(frozenJson));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(json)) {
    const value = frozenJson<unknown>(Reflect.get(json, key));
    if (key === "__proto__") Object.defineProperty(copy, key, { value, enumerable: true });
    else if (value !== undefined) copy[key] = value;
  }
  return Object.freeze(copy);
}
