import { copyData, deepFreeze } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import { isNestedTooDeeply } from "../base/json-text.js";
import { isoTimestamp } from "../base/time.js";
import type { Schema, SchemaResult } from "./ports.js";
import type { Result } from "./result.js";
import { type Refusals, tooDeep, toValidationIssues, validate } from "./validation.js";

/** A profile that was validated once, for all evaluations to come. */
export interface BoundProfile<Profile> {
  /** As it was given, for hooks. */
  readonly raw: unknown;
  readonly result: SchemaResult<Profile>;
}

/** What binding needs of a definition. */
interface Source<Profile> {
  readonly id: string;
  readonly profileSchema: Schema<unknown, Profile>;
}

/**
 * Validates and keeps the profile that a host gave a decision. It is copied: changing what was given changes nothing.
 *
 * @throws DecernError `INVALID_OPTIONS` when it breaks its schema, or is not plain data
 */
export function bindProfile<Profile>(source: Source<Profile>, profile: unknown): BoundProfile<Profile> {
  const raw = copyPlain(source, profile);
  const result = validate(source.profileSchema["~standard"], raw);
  if (result.issues !== undefined) {
    throw new DecernError("INVALID_OPTIONS", {
      detail: `profile of decision "${source.id}"`,
      problems: toValidationIssues(result.issues, profile),
    });
  }
  try {
    return keep(raw, result.value);
  } catch (cause) {
    throw notPlainData(source, cause);
  }
}

/** Profiles that many calls of one request share, each validated once for all of them. */
export class SharedProfiles<Profile> {
  readonly #source: Source<Profile>;
  /** By the profile as the caller sent it. */
  readonly #sent = new WeakMap<object, BoundProfile<Profile>>();

  constructor(source: Source<Profile>) {
    this.#source = source;
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

/** The profile of a decision that has none: the schema's defaults on `{}`, which are the same every time. */
export function emptyProfile<Profile>({ profileSchema }: Source<Profile>): BoundProfile<Profile> {
  const raw = Object.freeze({});
  const result = validate(profileSchema["~standard"], {});
  return result.issues === undefined ? keep(raw, result.value) : { raw, result };
}

function copyPlain(source: { readonly id: string }, profile: unknown): unknown {
  try {
    const copy = structuredClone(profile);
    // Before a schema sees it, which may coerce in place.
    deepFreeze(copy);
    return copy;
  } catch (cause) {
    throw notPlainData(source, cause);
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

function notPlainData({ id }: { readonly id: string }, cause: unknown): DecernError {
  return new DecernError("INVALID_OPTIONS", {
    detail: `profile of decision "${id}" is not plain data`,
    problems: [{ path: "", message: "must be plain data" }],
    cause,
  });
}
