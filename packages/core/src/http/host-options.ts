import { DecernError } from "../base/errors.js";
import { type feature, kinds } from "../base/kinds.js";
import { type Kind, option, type RowsOf, requiredOption } from "../base/options.js";
import type { Decision, HasProfile, ProfileOf, ProfilesOf, WithUsed } from "../decision/decision.js";
import { type EvaluatorOptions, evaluatorRows } from "../service/evaluator-options.js";
import { type DecisionSource, type ProfileSource, sourceOf } from "../service/generation-source.js";
import type { ProfileResolver } from "../service/profiles.js";
import type { Identity } from "../service/request-view.js";
import type { ShadowsOf } from "../service/shadow.js";
import type { VersionsOf } from "../service/version-policy.js";
import type { Facade, Feature } from "./feature.js";
import { featureKind } from "./featured-service.js";

/**
 * What every host that serves several decisions takes.
 *
 * @typeParam Key - the keys of `profiles`, where they are known
 * @typeParam Given - the names of options that are given, where they are known
 * @typeParam Caller - what `authenticate` returns for admitted callers
 */
export interface DecisionSetOptions<
  Decisions extends readonly Decision[] = readonly Decision[],
  Key extends PropertyKey = PropertyKey,
  Given extends PropertyKey = PropertyKey,
  Caller extends Identity = Identity,
> {
  /** The decisions to serve. Or [`watchDecisions(…)`](https://github.com/decern/decern/blob/main/docs/live-decisions.md) of `@decern/watch` */
  readonly decisions: Provided<Decisions, Key, Given>;
  /**
   * Default profiles by [key](https://github.com/decern/decern/blob/main/docs/profiles.md#keys-of-profiles), checked at start. Or
   * [`watchProfiles(…)`](https://github.com/decern/decern/blob/main/docs/live-profiles.md) of `@decern/watch`
   *
   * The keys are `id`, `id@version`, `id#name` and `id@version#name`. A named profile is used only where somebody names it. Until `watchProfiles` has loaded its first set, calls get 503
   * `PROFILES_NOT_LOADED`.
   * @default `{}`
   */
  readonly profiles?:
    | ((ProfilesOf<NoInfer<Decisions>> | ProfileSource) & NamesDecisions<Key, keyof ProfilesOf<Decisions>>)
    | undefined;
  /**
   * Chooses the host's profile for each call, such as a tenant's.
   *
   * `undefined` chooses the default profile.
   */
  readonly profileResolver?: ProfileResolver<NoInfer<Caller>, NamedProfile<NoInfer<Key>>> | undefined;
  /** By id: `{ default, select?, deprecated?, retired? }`; required for an id with several [versions](https://github.com/decern/decern/blob/main/docs/versions.md). */
  readonly versions?: VersionsOf<NoInfer<Decisions>, NoInfer<Caller>> | undefined;
  /** By id: `{ version or decision, sample? }`, a candidate to evaluate after the response. @default off */
  readonly shadow?: ShadowsOf<NoInfer<Decisions>> | undefined;
  /**
   * [Additional protocols](https://github.com/decern/decern/blob/main/docs/protocols.md): `authzen(…)` of `@decern/authzen`, `ofrep(…)` of `@decern/ofrep`.
   * @default none
   */
  readonly facades?: readonly Facade[] | undefined;
  /** [Your own routes](https://github.com/decern/decern/blob/main/docs/protocols.md#your-own-routes) and observers. @default none */
  readonly features?: readonly Feature[] | undefined;
}

/** The list of decisions or a source of them, or what neither is where a profile is missing. */
type Provided<Decisions extends readonly Decision[], Key, Given> =
  // A resolver may bring any profile. So may callers, where the host says what theirs does.
  [Extract<"profileResolver" | "profileOverride", Given>, AreKnown<Key>] extends [never, true]
    ? [Exclude<Needy<WithUsed<Decisions[number]>>, ProfiledId<Key>>] extends [never]
      ? Decisions | DecisionSource
      : Unprovided<Exclude<Needy<WithUsed<Decisions[number]>>, ProfiledId<Key>>>
    : Decisions | DecisionSource;

/** TypeScript's error starts with the name of a missing property, so that it is short for a list of any length. */
type Unprovided<Ids extends string> = {
  readonly [Id in Ids as `${Id} needs a profile: give it in profiles, or give a profileResolver`]: never;
};

/** The id of a decision that has no profile of its own, and whose schema refuses `{}`, as far as its type tells. */
type Needy<D extends Decision> = D extends HasProfile
  ? never
  : unknown extends ProfileOf<D>
    ? never
    : Record<never, never> extends ProfileOf<D>
      ? never
      : string extends D["id"]
        ? never
        : D["id"];

/** Whether keys of `profiles` tell anything: those of any map, and of what `watchProfiles` returned, do not. */
type AreKnown<Key> = string extends Key ? false : typeof feature extends Key ? false : true;

/** The ids that keys of `profiles` are for. A named profile is used only where somebody names it. */
type ProfiledId<Key> = Key extends `${string}#${string}`
  ? never
  : Key extends `${infer Id}@${string}`
    ? Id
    : Key;

/**
 * The names of profiles that keys of `profiles` have; any text if they have none, or are not known.
 *
 * @typeParam Id - the decisions whose profiles these are
 */
type NamedProfile<Key, Id extends string = string> =
  AreKnown<Key> extends true
    ? [NameIn<Extract<Key, KeyWithName<Id>>>] extends [never]
      ? string
      : NameIn<Extract<Key, KeyWithName<Id>>>
    : string;

type KeyWithName<Id extends string> = `${Id}#${string}` | `${Id}@${string}#${string}`;

/** What follows the last #: versions may contain any character. */
type NameIn<Key> = Key extends `${string}#${infer Rest}`
  ? Rest extends `${string}#${string}`
    ? NameIn<Rest>
    : Rest
  : never;

type NamesDecisions<Key extends PropertyKey, Known> =
  AreKnown<Key> extends true
    ? { readonly [K in Key]?: K extends Known ? unknown : "no decision of the list has this id" }
    : unknown;

/**
 * The options that are given, so that a misspelt one fails with a message.
 *
 * @typeParam Given - inferred: their names
 */
export type KnownOptions<Given extends PropertyKey, Options> = string extends Given
  ? unknown
  : { readonly [Name in Given]?: Name extends keyof Options ? unknown : "there is no such option" };

const decisionList = kinds.listOf(kinds.anything<never>());

const decisionsKind: Kind<readonly never[] | DecisionSource> = (value, path) =>
  sourceOf("decision-source", value) === undefined ? decisionList(value, path) : [];

/** What every host that serves several decisions takes. `createService` checks what is inside. */
export const decisionSetRows = {
  ...evaluatorRows,
  decisions: requiredOption(decisionsKind),
  profiles: option(kinds.object<never>()),
  profileResolver: option(kinds.callback<ProfileResolver>()),
  versions: option(kinds.object<never>()),
  shadow: option(kinds.object<never>()),
  facades: option(kinds.listOf(kinds.anything<Facade>())),
  features: option(kinds.listOf(featureKind)),
} satisfies RowsOf<DecisionSetOptions & EvaluatorOptions>;

/** Characters that no router reads as a pattern. `.` and `..` are out, because clients resolve them before they send. */
const segmentPattern = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

const segmentRule = "segments of A-Z a-z 0-9 . _ ~ - other than . and ..";

/** The path of one endpoint, such as `/metrics`. */
export const endpointKind: Kind<string> = (value, path) => {
  const [root, ...segments] = typeof value === "string" ? value.split("/") : [];
  return root === "" && segments.length > 0 && segments.every((segment) => segmentPattern.test(segment))
    ? []
    : [{ path, message: `must be a path such as /metrics, with ${segmentRule}` }];
};

/** A path to mount something under. It may be empty. */
export const prefixKind: Kind<string> = (value, path) => {
  if (typeof value !== "string") return kinds.text(value, path);
  return segmentsOf(value)
    .filter((segment) => !segmentPattern.test(segment))
    .map((segment) => ({
      path,
      message: `must have ${segmentRule}; "${segment}" is not one`,
    }));
};

/**
 * Brings a prefix into one form: `x`, `/x` and `/x/` become `/x`; `/` and `undefined` become the empty string.
 *
 * @throws DecernError `INVALID_OPTIONS` for a segment that is not plain text
 */
export function normalizePrefix(prefix: string | undefined): string {
  const problems = prefixKind(prefix ?? "", "/prefix");
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return segmentsOf(prefix ?? "")
    .map((segment) => `/${segment}`)
    .join("");
}

function segmentsOf(prefix: string): readonly string[] {
  return prefix.split("/").filter((segment) => segment !== "");
}

/** The path of a decision under a prefix. Ids need no escaping: they consist of unreserved characters only. */
export function decisionPath(prefix: string | undefined, id: string): string {
  return `${normalizePrefix(prefix)}/${id}`;
}

/**
 * Whether `If-None-Match` names a validator, by weak comparison as RFC 9110 requires.
 *
 * @param header - `*`, or a list of validators
 */
export function matchesETag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  for (const [, opaque] of header.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)) {
    if (opaque === etag) return true;
  }
  return false;
}
