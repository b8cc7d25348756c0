import { type Awaitable, ignoreRejection } from "../base/awaitable.js";
import { DecernError } from "../base/errors.js";
import type { Decision, ProfileLookup } from "../decision/decision.js";
import {
  HostRequestView,
  isTraceparent,
  type RequestAccess,
  type RequestView,
  type SelectedBy,
} from "./request-view.js";
import type { Shadow } from "./shadow.js";

/** What is to be evaluated. */
export interface EvaluationCall {
  readonly input: unknown;
  /** Left out, the decision's default profile. */
  readonly profile?: unknown;
  /** @default a fresh UUID */
  readonly requestId?: string | undefined;
  /** Whose fault a profile is that breaks its schema: `caller` gets `INVALID_PROFILE`, `host` is a fault. @default caller */
  readonly profileFrom?: "caller" | "host" | undefined;
  /** Who asks. Rules, hooks and observers see it. */
  readonly caller?: string | undefined;
}

/** A call that a host makes for a request. */
export interface HostCall extends EvaluationCall {
  readonly request?: RequestView | undefined;
  readonly traceparent?: string | undefined;
  /** Whether other calls of the same request have this profile of the caller's too. @default false */
  readonly sharesProfile?: boolean | undefined;
  /** @default "default" */
  readonly selectedBy?: SelectedBy | undefined;
  /** Sent with the reply. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For the decisions that this one uses. @default their own */
  readonly profiles?: ProfileLookup | undefined;
  /** A candidate to evaluate too, once the reply is written. */
  readonly shadow?: Shadow | undefined;
}

/** Who asks, and with which request. */
export interface CallOrigin {
  /** Absent where nobody was asked. */
  readonly caller: string | undefined;
  readonly request: RequestView | undefined;
  /** W3C Trace Context, as the request has it. */
  readonly traceparent?: string | undefined;
}

/** How one call is evaluated. */
export interface ChosenCall<Output> {
  /** With its default profile. */
  readonly decision: Decision<unknown, Output>;
  /** `undefined` takes the default profile. */
  readonly profile: unknown;
  readonly profileFrom: "caller" | "host";
  /** Whether other calls of the same request have this profile of the caller's too. @default false */
  readonly sharesProfile?: boolean | undefined;
  /** For the decisions that this one uses. */
  readonly profiles: ProfileLookup | undefined;
  /** Sent with the reply. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** How the version was chosen. @default as the handler's reader says */
  readonly selectedBy?: SelectedBy | undefined;
  /** Evaluated too, once the reply is written. */
  readonly shadow: Shadow | undefined;
}

export const unknownOrigin: CallOrigin = { caller: undefined, request: undefined };

/** How a host's request becomes a call. */
export interface CallReader<Request, Output> {
  /** The decision's input. */
  readonly input: (request: Request) => unknown;
  /** Who asks. */
  readonly origin: (request: Request) => CallOrigin;
  /** Which version and which profile evaluate it. */
  readonly choose: (request: Request, input: unknown, origin: CallOrigin) => Awaitable<ChosenCall<Output>>;
  /** Whether `choose` does not need the input. It then runs while the input is still being read. @default false */
  readonly ignoresInput?: boolean | undefined;
  /** Whether `choose` answers at once, and the same for all inputs of one request. @default false */
  readonly isSteady?: boolean | undefined;
  /** How a version is chosen, for the record. @default "default" */
  readonly selectedBy?: SelectedBy | undefined;
}

/**
 * Makes the function that tells who asks, and with which request.
 *
 * @param caller - the host's callback. What it throws, and a result that names nobody and is not `undefined`, is the host's
 *   fault.
 */
export function createOriginReader<Request>(
  access: RequestAccess<Request>,
  caller: ((request: Request) => unknown) | undefined,
): (request: Request) => CallOrigin & { readonly request: RequestView } {
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
  // No record, header or label holds half a character, so a caller with one could not be found again, or be told from others.
  if (named === undefined || (typeof named === "string" && named !== "" && !/\p{Surrogate}/u.test(named)))
    return named;
  // An asynchronous callback must not end the process.
  ignoreRejection(named);
  const detail =
    "caller must return a non-empty string without lone surrogates, or undefined for an unknown caller";
  throw new DecernError("INTERNAL_ERROR", { detail });
}
