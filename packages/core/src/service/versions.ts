import { DecernError, type Problem } from "../base/errors.js";
import { escapePointer, isJsonObject } from "../base/json.js";
import { kinds } from "../base/kinds.js";
import { type Kind, option, type RowsOf, requiredOption } from "../base/options.js";
import { ignoreRejection } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import { LazyCopy } from "./hook-context.js";
import type { BoundProfiles } from "./profiles.js";
import type { Origin } from "./request-view.js";
import type { Choice, ShadowChoice } from "./run.js";
import { type Deprecation, deprecationHeaders, type VersionPolicy } from "./version-policy.js";

/** One version of a decision in one generation, with its choices made. */
export interface ServedVersion {
  /** As it was given. */
  readonly decision: Decision;
  readonly deprecation: Deprecation | undefined;
  /** Sent with every reply of this version. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** For calls where `select` takes this version. */
  readonly selected: Choice;
  /** For calls whose path names it. They have no shadow. */
  readonly pinned: Choice;
}

/** What the options of a service say about one id. */
export interface ServedPolicies {
  readonly policy?: VersionPolicy | undefined;
  readonly shadow?: ShadowChoice | undefined;
  readonly offered?: readonly string[] | undefined;
}

const none: ReadonlySet<string> = new Set();

/** One id in one generation, with its versions. */
export class Served {
  readonly id: string;
  /** In the order given, without those that are retired. */
  readonly versions: ReadonlyMap<string, ServedVersion>;
  /** Evaluates calls that name no version. */
  readonly standard: ServedVersion;
  /** For calls that name no version, unless `select` takes one. */
  readonly choice: Choice;
  readonly retired: ReadonlySet<string>;
  /** Evaluated alongside calls that name no version. */
  readonly shadow: ShadowChoice | undefined;
  /** Names of the profiles that callers may choose. */
  readonly offered: ReadonlySet<string>;
  /** Whether every call that names no version is evaluated by the same one. */
  readonly isFixed: boolean;
  readonly #select: VersionPolicy["select"];

  /**
   * @param decisions - every version, at least one
   * @param profiles - absent while none are loaded: nothing can be evaluated then
   */
  constructor(
    decisions: readonly [Decision, ...Decision[]],
    { policy, shadow, offered }: ServedPolicies,
    profiles: BoundProfiles | undefined,
  ) {
    const { select, deprecated = {}, retired } = policy ?? {};
    const [first] = decisions;
    const given = decisions.find(({ version }) => version === policy?.default) ?? first;
    const served = (decision: Decision): ServedVersion => {
      const { version } = decision;
      const deprecation = Object.hasOwn(deprecated, version) ? deprecated[version] : undefined;
      const headers = deprecation === undefined ? undefined : deprecationHeaders(deprecation);
      const pinned: Choice = {
        decision: profiles?.bind(decision) ?? decision,
        profile: undefined,
        profileFrom: "caller",
        sharesProfile: false,
        profiles,
        selectedBy: "path",
        headers,
        shadow: undefined,
      };
      // A candidate that replies itself has nothing to be compared with.
      const compared = decision === shadow?.candidate ? undefined : shadow;
      const selected: Choice = { ...pinned, selectedBy: "select", shadow: compared };
      return { decision, deprecation, headers, selected, pinned };
    };
    this.id = given.id;
    this.retired = retired === undefined ? none : new Set(retired);
    this.standard = served(given);
    this.choice = { ...this.standard.selected, selectedBy: "default" };
    this.versions = new Map(
      decisions
        .filter(({ version }) => !this.retired.has(version))
        .map(
          (decision) => [decision.version, decision === given ? this.standard : served(decision)] as const,
        ),
    );
    this.shadow = shadow;
    this.offered = offered === undefined ? none : new Set(offered);
    this.isFixed = select === undefined;
    this.#select = select;
  }

  /**
   * The version that `select` takes for a call that names none.
   *
   * @returns `undefined` where it leaves the choice to the default
   * @throws DecernError `INTERNAL_ERROR` when `select` fails or returns something else than a version that is served
   */
  select(input: unknown, { caller, request }: Origin): ServedVersion | undefined {
    if (this.#select === undefined) return undefined;
    const copy = new LazyCopy(input);
    let chosen: unknown;
    try {
      chosen = this.#select({
        // The host's own: what is written to it is neither evaluated nor recorded.
        get input() {
          return copy.value;
        },
        caller,
        request,
      });
    } catch (cause) {
      throw new DecernError("INTERNAL_ERROR", { detail: `select of decision "${this.id}" threw`, cause });
    }
    if (chosen === undefined) return undefined;
    const version = typeof chosen === "string" ? this.versions.get(chosen) : undefined;
    if (version !== undefined) return version;
    ignoreRejection(chosen);
    const known = [...this.versions.keys()].join(", ");
    const detail = `select of decision "${this.id}" did not return one of its versions (${known})`;
    throw new DecernError("INTERNAL_ERROR", { detail });
  }
}

const instant: Kind<Date | string> = (value, path) =>
  Number.isFinite(toMs(value)) ? [] : [{ path, message: "must be a date, or a string such as 2027-01-31" }];

const deprecation = kinds.group({
  since: requiredOption(instant),
  sunset: option(instant),
  link: option(kinds.matching(/^[!#-;=?-Z[\]_a-z~%]+$/, "must be a URL without spaces or angle brackets")),
} satisfies RowsOf<Deprecation>);

const policy = kinds.group({
  default: requiredOption(kinds.nonEmptyText),
  select: option(kinds.callback<VersionPolicy["select"]>()),
  deprecated: option(kinds.byName(deprecation)),
  retired: option(kinds.listOf(kinds.nonEmptyText)),
});

/** Version policies by decision id. */
type Policies = Readonly<Record<string, VersionPolicy | undefined>>;

/**
 * Reads the `versions` option.
 *
 * @param served - the versions of each id, in the order given
 * @param awaited - ids that a source loads
 * @returns no policies where something is wrong with them
 */
export function readVersions(
  versions: unknown,
  served: ReadonlyMap<string, readonly string[]>,
  awaited: readonly string[],
): { readonly policies: Policies; readonly problems: readonly Problem[] } {
  const problems = versionProblems(versions, served, awaited);
  if (versions === undefined || problems.length > 0) return { policies: {}, problems };
  // Every policy has been checked against its kind.
  return { policies: versions as Policies, problems };
}

function versionProblems(
  versions: unknown,
  served: ReadonlyMap<string, readonly string[]>,
  awaited: readonly string[],
): readonly Problem[] {
  if (versions !== undefined && !isJsonObject(versions))
    return [{ path: "/versions", message: "must be an object" }];
  const problems: Problem[] = [];
  const given = versions ?? {};
  for (const [id, list] of served) {
    if (list.length > 1 && (!Object.hasOwn(given, id) || given[id] === undefined)) {
      const message = `is required: "${id}" has the versions ${list.join(", ")}; name the default`;
      problems.push({ path: `/versions/${escapePointer(id)}`, message });
    }
  }
  for (const [id, value] of Object.entries(given)) {
    const path = `/versions/${escapePointer(id)}`;
    const list = served.get(id);
    if (list === undefined) {
      const message = awaited.includes(id)
        ? "is for a decision that watchDecisions loads: the version that it loaded is the default, and keepVersions keeps earlier ones"
        : "does not belong to any decision";
      problems.push({ path, message });
    }
    if (list !== undefined && value !== undefined) problems.push(...policyProblems(value, path, list));
  }
  return problems;
}

function policyProblems(value: unknown, path: string, served: readonly string[]): readonly Problem[] {
  const problems = [...policy(value, path)];
  if (!isJsonObject(value)) return problems;
  const report = (place: string, message: string): void =>
    void problems.push({ path: path + place, message });
  const { default: standard, deprecated, retired } = value;
  const gone: readonly unknown[] = Array.isArray(retired) ? retired : [];
  const known = `known are ${served.join(", ")}`;
  if (typeof standard === "string" && !served.includes(standard))
    report("/default", `"${standard}" is not a version of this decision; ${known}`);
  if (gone.includes(standard)) report("/default", "is retired");
  // Clients resolve them before they send.
  for (const version of served.filter((one) => one === "." || one === ".."))
    report("", `version "${version}" cannot be part of a URL path`);
  for (const [version, notice] of Object.entries(isJsonObject(deprecated) ? deprecated : {})) {
    const place = `/deprecated/${escapePointer(version)}`;
    if (!served.includes(version)) report(place, `is not a version of this decision; ${known}`);
    else if (gone.includes(version)) report(place, "is retired");
    if (endsEarly(notice)) report(`${place}/sunset`, "must not be earlier than since");
  }
  return problems;
}

/** RFC 9745 does not allow that. */
function endsEarly(notice: unknown): boolean {
  if (!isJsonObject(notice)) return false;
  return toMs(notice["sunset"]) < toMs(notice["since"]);
}

/** @returns `NaN` for what isn't a date */
function toMs(date: unknown): number {
  return date instanceof Date || typeof date === "string" ? new Date(date).getTime() : Number.NaN;
}
