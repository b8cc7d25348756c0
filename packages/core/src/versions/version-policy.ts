import type { Decision } from "../definition/decision.js";
import type { Identity, RequestView } from "../hooks/request-view.js";

/** One call, for choosing the version that evaluates it. */
export interface VersionCall<Caller extends Identity = Identity> {
  /** A copy of what the caller sent, not validated yet. */
  readonly input: unknown;
  readonly caller: string | undefined;
  /** Absent in process. */
  readonly request: RequestView<Caller> | undefined;
}

/** Announces that a version will go away. */
export interface Deprecation {
  /** When callers should have stopped using it: a date, or text such as `2027-01-31`. */
  readonly since: Date | string;
  /** When it stops replying. */
  readonly sunset?: Date | string | undefined;
  /** A page about it. */
  readonly link?: string | undefined;
}

/**
 * Which versions of one id are served, and which one evaluates a call that names none.
 *
 * @typeParam Version - those that are listed
 */
export interface VersionPolicy<Version extends string = string, Caller extends Identity = Identity> {
  readonly default: Version;
  /**
   * Chooses the version of one call, for gradual roll-outs. Synchronous; `undefined` means the default. `stableBucket` gives
   * each caller a place of its own.
   */
  readonly select?: ((call: VersionCall<Caller>) => string | undefined) | undefined;
  /** By version. */
  readonly deprecated?: Readonly<Record<string, Deprecation>> | undefined;
  /** Versions that reply 410 from now on. Their decisions may be gone from the code. */
  readonly retired?: readonly string[] | undefined;
}

/** The listed versions of an id. */
export type VersionOf<Decisions extends readonly Decision[], Id> = Extract<
  Decisions[number],
  { readonly id: Id }
>["version"];

/** Version policies by decision id. Without `as`, so that the parameter of an inline `select` has its type. */
export type VersionsOf<Decisions extends readonly Decision[], Caller extends Identity = Identity> = {
  readonly [Id in Decisions[number]["id"]]?: VersionPolicy<VersionOf<Decisions, Id>, Caller> | undefined;
};
