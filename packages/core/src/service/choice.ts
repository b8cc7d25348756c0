import { type Awaitable, isThenable } from "../base/awaitable.js";
import { LazyCopy, mergePatch } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import { isNestedTooDeeply } from "../base/json-text.js";
import { type Decision, program } from "../decision/decision.js";
import { describe } from "../decision/shared-parts.js";
import { validate } from "../decision/validation.js";
import type { CallOrigin, ChosenCall } from "./call.js";
import type { Catalogue } from "./catalogue.js";
import type { ProfileResolver, SentProfile } from "./profile-source.js";
import type { BoundProfiles } from "./profiles.js";
import type { SelectedBy } from "./request-view.js";
import type { Shadow } from "./shadow.js";
import type { HostedDecision, HostedVersion } from "./versions.js";

/** How a host chooses profiles. */
export interface ProfilePolicy {
  readonly profileResolver?: ProfileResolver | undefined;
  /** Whether a profile that a caller sent is merged into the host's. @default false: it replaces it */
  readonly merges?: boolean | undefined;
}

/** Chooses the version and the profile of each call of one id. */
export class CallChooser {
  readonly #catalogue: Catalogue;
  readonly #hosted: HostedDecision;
  readonly #resolve: ProfileResolver | undefined;
  readonly #merges: boolean;
  readonly #shadow: Shadow | undefined;
  readonly #made = new WeakMap<SentProfile, Map<Decision, unknown>>();

  constructor(
    catalogue: Catalogue,
    hosted: HostedDecision,
    { profileResolver, merges = false }: ProfilePolicy,
    shadow?: Shadow | undefined,
  ) {
    this.#catalogue = catalogue;
    this.#hosted = hosted;
    this.#resolve = profileResolver;
    this.#merges = merges;
    this.#shadow = shadow;
  }

  /** Whether profiles do not depend on the input. */
  get isSteady(): boolean {
    return this.#resolve === undefined;
  }

  /** How versions are chosen, unless `select` leaves the choice to the default. @param pinned - the version that the path names */
  selectedBy(pinned: HostedVersion | undefined): SelectedBy {
    if (pinned !== undefined) return "path";
    return this.#hosted.isFixed ? "default" : "select";
  }

  /**
   * @param sent - the caller's profile, or the name of one; the host has checked that callers may send it
   * @param pinned - the version that the path names
   * @param profiles - of a request with several calls, which all see the same set. @default the newest
   * @throws DecernError `PROFILES_NOT_LOADED` before the first profiles have been loaded
   * @throws what `select` and `profileResolver` throw
   */
  choose(
    input: unknown,
    origin: CallOrigin,
    sent?: SentProfile | undefined,
    pinned?: HostedVersion | undefined,
    profiles: BoundProfiles | undefined = this.#catalogue.profiles,
  ): Awaitable<ChosenCall<unknown>> {
    if (profiles === undefined) throw new DecernError("PROFILES_NOT_LOADED");
    const selected = pinned ?? this.#select(input, origin);
    const version = selected ?? this.#hosted.standard;
    const selectedBy = selected === undefined ? "default" : this.selectedBy(pinned);
    const decision =
      sent?.name === undefined
        ? profiles.bind(version.decision)
        : bindNamed(profiles, version.decision, sent.name);
    const shadow = pinned === undefined ? this.#shadow?.under(profiles, sent?.name) : undefined;
    // Field by field: spreading objects costs as much as a small evaluation.
    const settle = (resolved: unknown): ChosenCall<unknown> => {
      // A candidate that replies itself has nothing to be compared with.
      const compared = version.decision === this.#shadow?.candidate ? undefined : shadow;
      let profile = resolved;
      let profileFrom: "caller" | "host" = this.#resolve === undefined ? "caller" : "host";
      let sharesProfile = false;
      if (sent !== undefined && Object.hasOwn(sent, "profile")) {
        // What a resolver returns may differ from call to call, and belongs to the host.
        sharesProfile = sent.isShared === true && !(this.#merges && resolved !== undefined);
        profile = sharesProfile ? this.#shared(decision, sent) : this.#own(decision, resolved, sent);
        profileFrom = "caller";
        if (sharesProfile) compared?.share(profile);
      }
      const { headers } = version;
      return {
        decision,
        profile,
        profileFrom,
        sharesProfile,
        profiles,
        headers,
        shadow: compared,
        selectedBy,
      };
    };
    const replaces = !this.#merges && sent !== undefined && Object.hasOwn(sent, "profile");
    if (this.#resolve === undefined || replaces || sent?.name !== undefined) return settle(undefined);
    const { id: decisionId, version: decisionVersion } = version.decision;
    const named = (name: string): unknown =>
      bindNamed(profiles, version.decision, name)[program].boundProfile;
    const resolved = this.#resolve({ decisionId, decisionVersion, selectedBy, ...origin, named });
    return isThenable(resolved) ? Promise.resolve(resolved).then(settle) : settle(resolved);
  }

  #select(input: unknown, { caller, request }: CallOrigin): HostedVersion | undefined {
    const hosted = this.#hosted;
    if (hosted.isFixed) return undefined;
    const copy = new LazyCopy(input);
    const call = {
      // The host's own: what is written to it is neither evaluated nor recorded.
      get input() {
        return copy.value;
      },
      caller,
      request,
    };
    return hosted.select(call);
  }

  #own(decision: Decision, resolved: unknown, { profile }: SentProfile): unknown {
    return this.#merges ? this.#merge(decision, resolved, profile) : profile;
  }

  /** The profile of all calls of one request that choose this decision: made and validated once. */
  #shared(decision: Decision, sent: SentProfile): unknown {
    const made = this.#made.get(sent) ?? new Map<Decision, unknown>();
    if (made.has(decision)) return made.get(decision);
    const profile = this.#own(decision, undefined, sent);
    decision[program].share(profile);
    this.#made.set(sent, made.set(decision, profile));
    return profile;
  }

  /** @throws DecernError `INVALID_HOST_PROFILE` when the host's own profile breaks its schema, before anything is merged */
  #merge(decision: Decision, resolved: unknown, patch: unknown): unknown {
    // Refused when it is evaluated. Merging it could end the stack.
    if (isNestedTooDeeply(patch)) return patch;
    if (resolved === undefined) return mergePatch(decision[program].boundProfile, patch);
    if (validate(decision.profileSchema["~standard"], resolved).issues !== undefined) {
      const detail = `the profile that profileResolver returned for decision "${decision.id}" breaks its schema`;
      throw new DecernError("INVALID_HOST_PROFILE", { detail });
    }
    return mergePatch(resolved, patch);
  }
}

function bindNamed(profiles: BoundProfiles, decision: Decision, name: unknown): Decision {
  const bound = typeof name === "string" ? profiles.bindNamed(decision, name) : undefined;
  if (bound !== undefined) return bound;
  const text = typeof name === "string" ? JSON.stringify(name) : `by ${describe(name)}`;
  const detail = `decision "${decision.id}" has no profile named ${text}`;
  throw new DecernError("INTERNAL_ERROR", { detail });
}
