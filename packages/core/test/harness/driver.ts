import type {
  Decision,
  ErrorCode,
  EvaluatorOptions,
  ProfileOverride,
  RequestView,
  Result,
} from "../../src/index.js";

/** The public entry of one core. */
export type Core = typeof import("../../src/index.js");

/** Who asks. */
export interface Origin {
  readonly caller: string | undefined;
  readonly request: RequestView | undefined;
  readonly traceparent?: string | undefined;
}

/** A request, as the callbacks of a host read it. Both may throw, and the input may be a promise. */
export interface Asked {
  readonly input: () => unknown;
  readonly origin: () => Origin;
  readonly sent?: Sent | undefined;
}

/** What a caller sent of a profile. */
export interface Sent {
  readonly profile?: unknown;
  readonly name?: unknown;
}

/** A reply of the host's framework, which notes what it is told. */
export interface HarnessExchange {
  readonly requestId: string;
  readonly handsOverHostErrors: boolean;
  onDecided(result: Result | undefined): void;
  hasBegun(): boolean;
  hasEnded(): boolean;
  write(
    status: number,
    body: string,
    requestId: string,
    headers?: Readonly<Record<string, string>> | undefined,
  ): void;
  whenWritten(run: () => void): void;
  leave(): void;
  fail(error: Error, requestId: string): void;
  pass(requestId: string, headers?: Readonly<Record<string, string>> | undefined): void;
}

export type Callback = (result: Result) => unknown;

/** A host of one decision, as a middleware, a handler, a hook and a guard are. */
export interface SingleHost {
  respond(asked: Asked, exchange: HarnessExchange, onResult?: Callback | undefined): void;
  guard(asked: Asked, exchange: HarnessExchange, onDeny?: Callback | undefined): void;
}

export interface SingleOptions extends EvaluatorOptions {
  readonly decision: Decision;
  readonly profile?: unknown;
  readonly profileResolver?: (() => unknown) | undefined;
  readonly isDenied?: ((result: Result) => unknown) | undefined;
}

/** What a path names. */
export interface At {
  readonly id: string;
  readonly version?: string | undefined;
}

/** The reply to one of many inputs. */
export interface ItemReply {
  readonly body: string;
  readonly afterwards: (() => void) | undefined;
}

/** A host of several decisions, as a server, a router and a plugin are. */
export interface SeveralHost {
  /** @returns the code of the reply where the path names nothing */
  respond(
    at: At,
    asked: Asked,
    exchange: HarnessExchange,
    onResult?: Callback | undefined,
  ): ErrorCode | undefined;
  /** Evaluates many inputs of one request, one after another. */
  many(at: At, asked: Omit<Asked, "input">, inputs: readonly unknown[]): AsyncIterable<ItemReply>;
  /** Loads no more profiles. */
  stop(): Promise<void>;
}

export interface SeveralOptions extends EvaluatorOptions {
  readonly decisions: unknown;
  readonly profiles?: unknown;
  readonly versions?: unknown;
  readonly shadow?: unknown;
  readonly callerProfiles?: unknown;
  readonly profileResolver?: ((call: never) => unknown) | undefined;
  readonly override: ProfileOverride;
  /** Whether replies have the evaluations of used decisions too. */
  readonly traced?: boolean | undefined;
}

/** A call for tools: no hook runs, and nobody is told. */
export interface EarlierCall {
  readonly input: unknown;
  readonly profile?: unknown;
  readonly epochMs: number;
  readonly requestId: string;
  readonly caller?: string | undefined;
}

/** One core, behind the few things that the comparison does with it. */
export interface Driver {
  readonly core: Core;
  single(options: SingleOptions): SingleHost;
  several(options: SeveralOptions): SeveralHost;
  /** @returns profile, used decisions, and a result or an error */
  evaluateCall(decision: Decision, call: EarlierCall): unknown;
  probe(decision: Decision, call: EarlierCall): unknown;
}
