import type { ProfileLookup } from "../definition/decision.js";
import type { RequestView } from "../hooks/request-view.js";
import type { SelectedBy } from "../records/decision-record.js";
import type { Shadow } from "../versions/shadow.js";

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
