import { copyData, deepFreeze } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import { isNestedTooDeeply } from "../base/json.js";
import { ignoreRejection, isoTimestamp, isThenable } from "../base/time.js";
import type { InputView } from "./decision.js";
import { listOf, toValidationIssues } from "./issues.js";
import type { Schema, SchemaIssue, SchemaProps, SchemaResult } from "./ports.js";
import type { InvalidResult, Result } from "./result.js";

/** Validates with any schema of the port. Throws `EVALUATION_FAILED` when the schema returns a promise. */
export function validate<Output>(schema: SchemaProps<unknown, Output>, value: unknown): SchemaResult<Output> {
  try {
    return validated(schema, value);
  } catch (error) {
    if (isTooDeep(error)) return tooDeep;
    throw error;
  }
}

/** As {@link validate}, but throws whatever the schema throws. */
export function validated<Output>(
  schema: SchemaProps<unknown, Output>,
  value: unknown,
): SchemaResult<Output> {
  return settled(schema.validate(value), schema.vendor);
}

/** Passes on what a schema returned. Throws `EVALUATION_FAILED` when that is a promise. */
export function settled<Output>(
  result: SchemaResult<Output> | Promise<SchemaResult<Output>>,
  vendor: string,
): SchemaResult<Output> {
  if (isThenable(result)) throw asynchronous(result, vendor);
  return result;
}

/** A recursive schema follows a value as deep as it goes, and the stack ends first. */
export function isTooDeep(error: unknown): boolean {
  try {
    return error instanceof RangeError;
  } catch {
    // A proxy that does not tell what it is.
    return false;
  }
}

const tooDeep = { issues: [{ pointer: "", message: "is nested too deeply", keyword: "depth" }] };

function asynchronous(promise: unknown, vendor: string): DecernError {
  ignoreRejection(promise);
  return new DecernError("EVALUATION_FAILED", {
    detail: `a ${vendor} schema returned a promise; schemas must validate synchronously`,
  });
}

/** A schema whose values go through a function once they are valid. */
export function viewedSchema<Value>(schema: Schema<unknown, Value>, view: InputView): Schema<unknown, Value> {
  const props = schema["~standard"];
  return {
    "~standard": {
      ...props,
      // Without `issuesOf`: the view changes the value.
      validate(value) {
        const result = validated(props, value);
        return result.issues === undefined ? { value: view(result.value) } : result;
      },
    },
  };
}

/** Makes the results of values that a caller must correct. */
export class Refusals {
  readonly #decisionId: string;

  constructor(decisionId: string) {
    this.#decisionId = decisionId;
  }

  input(issues: readonly SchemaIssue[], value: unknown, evaluatedAt: string): InvalidResult<"INVALID_INPUT"> {
    const errors = toValidationIssues(issues, value);
    const message = `Invalid input: ${listOf(errors, "input")}`;
    return { status: "INVALID_INPUT", message, errors, meta: this.#meta(evaluatedAt) };
  }

  profile(
    issues: readonly SchemaIssue[],
    value: unknown,
    evaluatedAt: string,
  ): InvalidResult<"INVALID_PROFILE"> {
    const errors = toValidationIssues(issues, value);
    const message = `Invalid profile: ${listOf(errors, "profile")}`;
    return { status: "INVALID_PROFILE", message, errors, meta: this.#meta(evaluatedAt) };
  }

  /** Refuses a value that a schema could not follow to its end. @param step - what threw */
  tooDeep(
    step: string,
    thrown: unknown,
    input: unknown,
    profile: unknown,
    evaluatedAt: string,
  ): Result<never> | undefined {
    if (!isTooDeep(thrown)) return undefined;
    if (step === "inputSchema") return this.input(tooDeep.issues, input, evaluatedAt);
    return step === "profileSchema" ? this.profile(tooDeep.issues, profile, evaluatedAt) : undefined;
  }

  #meta(evaluatedAt: string): InvalidResult<"INVALID_INPUT">["meta"] {
    return { decisionId: this.#decisionId, evaluatedAt };
  }
}

/** A profile that was validated once, for all evaluations to come. */
export interface BoundProfile<Profile> {
  /** As it was given, for hooks. */
  readonly raw: unknown;
  readonly result: SchemaResult<Profile>;
}

/** What is needed of a definition. */
interface Source<Profile> {
  readonly id: string;
  readonly profileSchema: Schema<unknown, Profile>;
}

/** How the profiles of one decision are validated and kept: the host's, and those that many calls of one request share. */
export class DecisionProfiles<Profile> {
  readonly #source: Source<Profile>;
  /** By the profile as the caller sent it. */
  readonly #sent = new WeakMap<object, BoundProfile<Profile>>();

  constructor(source: Source<Profile>) {
    this.#source = source;
  }

  /**
   * Validates and keeps the profile that a host gave. It is copied: changing what was given changes nothing.
   *
   * @throws DecernError `INVALID_OPTIONS` when it breaks its schema, or is not plain data
   */
  bind(profile: unknown): BoundProfile<Profile> {
    const { id, profileSchema } = this.#source;
    const raw = copyPlain(id, profile);
    const result = validate(profileSchema["~standard"], raw);
    if (result.issues !== undefined) {
      throw new DecernError("INVALID_OPTIONS", {
        detail: `profile of decision "${id}"`,
        problems: toValidationIssues(result.issues, profile),
      });
    }
    try {
      return keep(raw, result.value);
    } catch (cause) {
      throw notPlainData(id, cause);
    }
  }

  /** The profile of a decision that has none: the schema's defaults on `{}`, which are the same every time. */
  empty(): BoundProfile<Profile> {
    const raw = Object.freeze({});
    const result = validate(this.#source.profileSchema["~standard"], {});
    return result.issues === undefined ? keep(raw, result.value) : { raw, result };
  }

  /** Never throws. The profile is frozen where it is: no other code may have it. */
  share(profile: unknown): void {
    if (typeof profile !== "object" || profile === null || this.#sent.has(profile)) return;
    try {
      this.#sent.set(profile, this.#validated(profile));
    } catch {
      // What a schema throws, it throws again for each of the calls, where it is reported.
    }
  }

  /** The result for a profile that was shared, with issues where it breaks its schema or has too many levels. */
  resultOf(profile: unknown): SchemaResult<Profile> | undefined {
    return typeof profile === "object" && profile !== null ? this.#sent.get(profile)?.result : undefined;
  }

  /** Rejects an input or a profile that has too many levels, before anything looks into it. */
  refuseNesting(
    refusals: Refusals,
    input: unknown,
    profile: unknown,
    epochMs: number,
  ): Result<never> | undefined {
    if (isNestedTooDeeply(input)) return refusals.input(tooDeep.issues, input, isoTimestamp(epochMs));
    if (this.resultOf(profile) === undefined && isNestedTooDeeply(profile)) {
      return refusals.profile(tooDeep.issues, profile, isoTimestamp(epochMs));
    }
    return undefined;
  }

  #validated(profile: object): BoundProfile<Profile> {
    if (isNestedTooDeeply(profile)) return { raw: profile, result: tooDeep };
    deepFreeze(profile);
    const result = validate(this.#source.profileSchema["~standard"], profile);
    return result.issues === undefined ? keep(profile, result.value) : { raw: profile, result };
  }
}

function copyPlain(id: string, profile: unknown): unknown {
  try {
    const copy = structuredClone(profile);
    // Before a schema sees it, which may coerce in place.
    deepFreeze(copy);
    return copy;
  } catch (cause) {
    throw notPlainData(id, cause);
  }
}

/**
 * Keeps a validated profile. It is copied first: a schema may return a frozen object that holds others which are not, or one
 * that it shares with its own defaults.
 */
function keep<Profile>(raw: unknown, value: Profile): BoundProfile<Profile> {
  const kept = { raw, value: copyData(value) };
  if (deepFreeze(kept)) return { raw, result: { value: kept.value } };
  // Nothing freezes a date, a map or a set, so each evaluation gets its own.
  return {
    get raw() {
      return copyData(kept.raw);
    },
    get result() {
      return { value: copyData(kept.value) };
    },
  };
}

function notPlainData(id: string, cause: unknown): DecernError {
  return new DecernError("INVALID_OPTIONS", {
    detail: `profile of decision "${id}" is not plain data`,
    problems: [{ path: "", message: "must be plain data" }],
    cause,
  });
}
