import { DecernError } from "../base/errors.js";
import { isJsonObject, isNestedTooDeeply } from "../base/json.js";
import { type Awaitable, isThenable } from "../base/time.js";
import { type Decision, program } from "../decision/decision.js";
import { describe } from "../decision/rule.js";
import { validate } from "../decision/validation.js";
import type { Target } from "./generation.js";
import type { BoundProfiles, ProfileCall, ProfileOverride } from "./profiles.js";
import type { Origin, SelectedBy } from "./request-view.js";
import type { Choice, SentProfile, ShadowChoice } from "./run.js";
import type { ServedVersion } from "./versions.js";

/**
 * How a service chooses profiles.
 *
 * @typeParam Source - the framework's request
 */
export interface ProfilePolicy<Source> {
  /** Returns the host's profile for one call. `undefined` takes the default profile. */
  readonly resolve?: ((call: ProfileCall, source: Source) => unknown) | undefined;
  /**
   * Whether the service has one decision, for a route of the host's own. `resolve` then runs while the input is still being
   * read, and `undefined` means `{}`.
   * @default false
   */
  readonly isOfOne?: boolean | undefined;
  /** What becomes of a profile that a caller sent. @default "replace" */
  readonly override?: ProfileOverride | undefined;
}

/**
 * Chooses the version and the profile of each call. What does not depend on the call was chosen with the generation, and is
 * shared by all calls of a version.
 */
export class Chooser<Source> {
  readonly #resolve: ProfilePolicy<Source>["resolve"];
  readonly #merges: boolean;
  /** Whether a choice can be made before the input is read. */
  readonly ignoresInput: boolean;

  constructor({ resolve, isOfOne = false, override }: ProfilePolicy<Source>) {
    this.#resolve = resolve;
    this.#merges = override === "merge";
    this.ignoresInput = isOfOne;
  }

  /** Whether all inputs of one request get the same choice. */
  isSteady({ served, pinned }: Target): boolean {
    return this.#resolve === undefined && (pinned !== undefined || served.isFixed);
  }

  /**
   * @param sent - the caller's profile, or the name of one; the host has checked that callers may send it
   * @throws DecernError `PROFILES_NOT_LOADED` before the first profiles have been loaded
   * @throws what `select` and `profileResolver` throw
   */
  choose(
    { generation: { profiles }, served, pinned }: Target,
    origin: Origin,
    input: unknown,
    sent: SentProfile | undefined,
    source: Source,
  ): Awaitable<Choice> {
    if (profiles === undefined) throw new DecernError("PROFILES_NOT_LOADED");
    if (pinned !== undefined) return this.#settle(profiles, pinned, pinned.pinned, origin, sent, source);
    const selected = served.isFixed ? undefined : served.select(input, origin);
    const plain = selected === undefined ? served.choice : selected.selected;
    return this.#settle(profiles, selected ?? served.standard, plain, origin, sent, source);
  }

  #settle(
    profiles: BoundProfiles,
    version: ServedVersion,
    plain: Choice,
    origin: Origin,
    sent: SentProfile | undefined,
    source: Source,
  ): Awaitable<Choice> {
    const resolve = this.#resolve;
    if (sent === undefined && resolve === undefined) return plain;
    const named = sent?.name === undefined ? plain : withNamed(plain, profiles, version.decision, sent.name);
    const brings = sent !== undefined && Object.hasOwn(sent, "profile");
    if (resolve === undefined) return brings ? this.#withSent(named, undefined, sent) : named;
    // Where a resolver chooses for all others, a named profile is the host's too.
    const settle = (resolved: unknown): Choice =>
      brings ? this.#withSent(named, resolved, sent) : { ...named, profile: resolved, profileFrom: "host" };
    if ((brings && !this.#merges) || sent?.name !== undefined) return settle(undefined);
    const { id: decisionId, version: decisionVersion } = version.decision;
    const { selectedBy } = plain;
    const call: ProfileCall = {
      decisionId,
      decisionVersion,
      selectedBy,
      ...origin,
      named: (name) => bindNamed(profiles, version.decision, name)[program].boundProfile,
    };
    const empty = this.ignoresInput ? {} : undefined;
    const resolved = resolve(call, source);
    return isThenable(resolved)
      ? Promise.resolve(resolved).then((value) => settle(value === undefined ? empty : value))
      : settle(resolved === undefined ? empty : resolved);
  }

  /** The choice with the profile that a caller sent. */
  #withSent(choice: Choice, resolved: unknown, sent: SentProfile): Choice {
    const { decision, shadow } = choice;
    // What a resolver returns can differ from call to call, and belongs to the host.
    const shared = this.#merges && resolved !== undefined ? undefined : sent.shared;
    if (shared === undefined)
      return { ...choice, profile: this.#own(decision, resolved, sent), profileFrom: "caller" };
    if (!shared.has(decision)) {
      const own = this.#own(decision, undefined, sent);
      decision[program].share(own);
      shared.set(decision, own);
    }
    const profile = shared.get(decision);
    shadow?.candidate[program].share(profile);
    return { ...choice, profile, profileFrom: "caller", sharesProfile: true };
  }

  #own(decision: Decision, resolved: unknown, { profile }: SentProfile): unknown {
    return this.#merges ? merge(decision, resolved, profile) : profile;
  }
}

/** @throws DecernError `INVALID_HOST_PROFILE` when the host's own profile breaks its schema, before anything is merged */
function merge(decision: Decision, resolved: unknown, patch: unknown): unknown {
  // Refused when it is evaluated. Merging it could end the stack.
  if (isNestedTooDeeply(patch)) return patch;
  if (resolved === undefined) return mergePatch(decision[program].boundProfile, patch);
  if (validate(decision.profileSchema["~standard"], resolved).issues !== undefined) {
    const detail = `the profile that profileResolver returned for decision "${decision.id}" breaks its schema`;
    throw new DecernError("INVALID_HOST_PROFILE", { detail });
  }
  return mergePatch(resolved, patch);
}

/** The choice under a named profile. Its candidate is evaluated under the same one, or not at all: there is nothing to compare. */
function withNamed(plain: Choice, profiles: BoundProfiles, given: Decision, name: unknown): Choice {
  const decision = bindNamed(profiles, given, name);
  return { ...plain, decision, shadow: plain.shadow && underSame(plain.shadow, profiles, name) };
}

function underSame(
  { candidate, sample }: ShadowChoice,
  profiles: BoundProfiles,
  name: unknown,
): ShadowChoice | undefined {
  const bound = typeof name === "string" ? profiles.bindNamed(candidate, name) : undefined;
  return bound === undefined ? undefined : { candidate: bound, sample };
}

function bindNamed(profiles: BoundProfiles, decision: Decision, name: unknown): Decision {
  const bound = typeof name === "string" ? profiles.bindNamed(decision, name) : undefined;
  if (bound !== undefined) return bound;
  const text = typeof name === "string" ? JSON.stringify(name) : `by ${describe(name)}`;
  const detail = `decision "${decision.id}" has no profile named ${text}`;
  throw new DecernError("INTERNAL_ERROR", { detail });
}

/** For calls that fail before anything is chosen: the decision as it was given, so that no record claims a profile. */
export function unchosen({ served, pinned }: Target): Choice {
  const unselected: SelectedBy = served.isFixed ? "default" : "select";
  return plainChoice((pinned ?? served.standard).decision, pinned === undefined ? unselected : "path");
}

/** The choice of a decision as it is, where there is nothing to choose. */
export function plainChoice<Output>(
  decision: Decision<unknown, Output>,
  selectedBy: SelectedBy = "default",
): Choice<Output> {
  return {
    decision,
    profile: undefined,
    profileFrom: "caller",
    sharesProfile: false,
    profiles: undefined,
    selectedBy,
    headers: undefined,
    shadow: undefined,
  };
}

/**
 * Applies a JSON Merge Patch (RFC 7396): objects merge at every level, `null` removes a property, anything else replaces.
 * Neither value is changed.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch) || Array.isArray(patch)) return patch;
  const merged = new Map(isJsonObject(target) && !Array.isArray(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // Defines what it is given, so that a key called `__proto__` stays a key.
  return Object.fromEntries(merged);
}
