import type { Decision, ProfileLookup } from "../decision/decision.js";
import type { SelectedBy } from "./request-view.js";

/** What is to be evaluated. */
export interface EvaluationCall {
  readonly input: unknown;
  /** Left out, the decision's default profile. */
  readonly profile?: unknown;
  /** @default a fresh UUID */
  readonly requestId?: string | undefined;
  /** Who owns the error if a profile breaks its schema: `caller` gets `INVALID_PROFILE`, `host` a masked error. @default caller */
  readonly profileFrom?: "caller" | "host" | undefined;
  /** The caller. Rules, hooks and observers see it. */
  readonly caller?: string | undefined;
}

/** Which candidate is evaluated alongside the decision that replies to a call. */
export interface ShadowChoice {
  readonly candidate: Decision;
  /** The share of calls to evaluate, from 0 to 1. */
  readonly sample: number;
}

/** How a call is evaluated: with which version and which profile. */
export interface Choice<Output = unknown> {
  /** With its default profile. */
  readonly decision: Decision<unknown, Output>;
  /** `undefined` takes the default profile. */
  readonly profile: unknown;
  /** Who owns the error if a profile breaks its schema. */
  readonly profileFrom: "caller" | "host";
  /** Whether other calls of the same request have this profile of the caller's too. */
  readonly sharesProfile: boolean;
  /** For the decisions that this one uses. `undefined` takes their own. */
  readonly profiles: ProfileLookup | undefined;
  readonly selectedBy: SelectedBy;
  /** Sent with the reply. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Evaluated too, once the reply is written. */
  readonly shadow: ShadowChoice | undefined;
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

/** What a caller sent of a profile. */
export interface SentProfile {
  /** Absent where the call has none; present is present, also when it is null or false. */
  readonly profile?: unknown;
  /** Names one of the profiles that the host lets callers choose. */
  readonly name?: unknown;
  /**
   * Present where many calls share it: what was made of the profile, by decision. Nothing else may hold the profile, which gets
   * frozen.
   */
  readonly shared?: Map<Decision, unknown> | undefined;
}
