import type { Awaitable } from "../awaitable.js";
import type { OkResult } from "../program/result.js";
import type { Identity, RequestView, SelectedBy } from "./request-view.js";

/**
 * What a hook is told: an object for this hook alone. Plain data in it (objects, lists, dates, maps, sets) is copied when it
 * is read, so that writing to it reaches nobody; an instance of a class is handed over as it is.
 */
export interface HookContext<Caller extends Identity = Identity> {
  readonly decisionId: string;
  /** The version that is evaluated. A hook cannot change it. */
  readonly decisionVersion: string;
  /** How that version was chosen: `path` where the caller named it. A hook cannot change it. */
  readonly selectedBy: SelectedBy;
  readonly input: unknown;
  readonly profile: unknown;
  /** Unique per request, for tracing. */
  readonly requestId: string;
  /** When the evaluation started: the instant of `meta.evaluatedAt`. */
  readonly timestamp: Date;
  /** Who asked, as the host's `authenticate` or `caller` says; absent where nobody was asked. A hook cannot change it. */
  readonly caller?: string;
  /** The HTTP request; absent in process. A hook cannot change it. */
  readonly request?: RequestView<Caller>;
}

/** Lifecycle hooks, run around every evaluation. Each may be asynchronous, and has to settle within the host's hook time-out. */
export interface Hooks<Caller extends Identity = Identity> {
  /** Runs before validation. The fields it returns replace those of the context; throwing aborts the evaluation. */
  readonly beforeEvaluate?:
    | ((context: HookContext<Caller>) => Awaitable<Partial<HookContext> | void>)
    | undefined;
  /**
   * Runs after a rule matched. It gets a copy: whatever it does, the answer stands. What is no plain data is in it as JSON
   * writes it.
   */
  readonly afterEvaluate?: ((context: HookContext<Caller>, result: OkResult) => Awaitable<void>) | undefined;
  /** Runs once when a hook, a callback or the evaluation failed, with what was thrown. */
  readonly onError?: ((context: HookContext<Caller>, error: unknown) => Awaitable<void>) | undefined;
}
