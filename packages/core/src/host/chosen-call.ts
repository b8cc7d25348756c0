import type { Decision, ProfileLookup } from "../definition/decision.js";
import type { RequestView, SelectedBy } from "../hooks/request-view.js";
import type { Shadow } from "../versions/shadow.js";

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
