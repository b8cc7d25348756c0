import { ignoreRejection } from "../awaitable.js";
import type { Decision } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import { deprecationHeaders } from "./deprecation-headers.js";
import type { Shadow } from "./shadow.js";
import type { Deprecation, VersionCall, VersionPolicy } from "./version-policy.js";

/** One version that a host serves. */
export interface HostedVersion {
  readonly decision: Decision;
  readonly deprecation: Deprecation | undefined;
  /** Sent with every reply of this version. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** What a host's options say about one id. */
export interface HostPolicies {
  readonly policy?: VersionPolicy | undefined;
  readonly shadow?: Shadow | undefined;
  readonly offered?: readonly string[] | undefined;
}

const none: ReadonlySet<string> = new Set();

/** One id that a host serves, with its versions. */
export class HostedDecision {
  readonly id: string;
  /** In the order given, without those that are retired. */
  readonly versions: ReadonlyMap<string, HostedVersion>;
  /** Evaluates calls that name no version. */
  readonly standard: HostedVersion;
  readonly retired: ReadonlySet<string>;
  /** Evaluated beside calls that name no version. */
  readonly shadow: Shadow | undefined;
  /** Names of the profiles that callers may choose. */
  readonly offered: ReadonlySet<string>;
  readonly #select: VersionPolicy["select"];

  /** @param decisions - every version, at least one */
  constructor(decisions: readonly [Decision, ...Decision[]], { policy, shadow, offered }: HostPolicies) {
    const { select, deprecated = {}, retired } = policy ?? {};
    const [first] = decisions;
    const standard = decisions.find(({ version }) => version === policy?.default) ?? first;
    const hosted = (decision: Decision): HostedVersion => {
      const { version } = decision;
      const deprecation = Object.hasOwn(deprecated, version) ? deprecated[version] : undefined;
      const headers = deprecation === undefined ? undefined : deprecationHeaders(deprecation);
      return { decision, deprecation, headers };
    };
    this.id = standard.id;
    this.retired = retired === undefined ? none : new Set(retired);
    this.standard = hosted(standard);
    this.versions = new Map(
      decisions
        .filter(({ version }) => !this.retired.has(version))
        .map(
          (decision) => [decision.version, decision === standard ? this.standard : hosted(decision)] as const,
        ),
    );
    this.shadow = shadow;
    this.offered = offered === undefined ? none : new Set(offered);
    this.#select = select;
  }

  /** Whether every call that names no version is evaluated by the same one. */
  get isFixed(): boolean {
    return this.#select === undefined;
  }

  /**
   * The version that `select` chooses for a call that names none.
   *
   * @returns `undefined` where it leaves the choice to the default
   * @throws DecernError `INTERNAL_ERROR` when `select` fails or returns something else than a version that is served
   */
  select(call: VersionCall): HostedVersion | undefined {
    let chosen: unknown;
    try {
      chosen = this.#select?.(call);
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
