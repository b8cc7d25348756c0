import { ignoreRejection } from "../base/awaitable.js";
import { DecernError } from "../base/errors.js";
import type { Decision, ProfileLookup } from "../decision/decision.js";
import {
  HostRequestView,
  isTraceparent,
  type RequestAccess,
  type RequestView,
  type SelectedBy,
} from "./request-view.js";

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

/** The caller and the request. */
export interface Origin {
  /** Absent without a caller. */
  readonly caller: string | undefined;
  readonly request: RequestView | undefined;
  /** W3C Trace Context, as the request has it. */
  readonly traceparent?: string | undefined;
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

export const unknownOrigin: Origin = { caller: undefined, request: undefined };

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

/**
 * Makes the function that returns the caller and the request.
 *
 * @param caller - the host's callback. What it throws, and a result that names no caller and is not `undefined`, is the host's
 *   error.
 */
export function createOriginReader<Request>(
  access: RequestAccess<Request>,
  caller: ((request: Request) => unknown) | undefined,
): (request: Request) => Origin & { readonly request: RequestView } {
  return (request) => {
    const { traceparent } = access.headers(request);
    return {
      caller: caller === undefined ? undefined : nameOf(caller(request)),
      request: new HostRequestView(request, access),
      traceparent: isTraceparent(traceparent) ? traceparent : undefined,
    };
  };
}

function nameOf(named: unknown): string | undefined {
  // No record, header or label holds half a character, so a caller with one could not be found again, or be distinguished from others.
  if (named === undefined || (typeof named === "string" && named !== "" && !/\p{Surrogate}/u.test(named)))
    return named;
  // An asynchronous callback must not end the process.
  ignoreRejection(named);
  const detail =
    "caller must return a non-empty string without lone surrogates, or undefined for an unknown caller";
  throw new DecernError("INTERNAL_ERROR", { detail });
}
