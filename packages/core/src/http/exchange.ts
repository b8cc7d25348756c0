import { asThrowable } from "../base/thrown.js";
import type { Result } from "../decision/result.js";
import type { Origin } from "../service/request-view.js";
import type { SentProfile } from "../service/run.js";

/**
 * One request of a host, as an evaluation reads it.
 *
 * @typeParam Source - the framework's request
 */
export interface HostRequest<Source = unknown> {
  /** For callbacks of the host. */
  readonly source: Source;
  /** The caller's, or a fresh one. */
  readonly requestId: string;
  /** The caller and the request. It throws what the host's `caller` throws. */
  origin(): Origin;
  /** The decision's input, or a promise of it. It throws what the host's `inputMapper` throws. */
  input(): unknown;
  /** What the caller sent of a profile; the host has checked that callers may. @default nothing */
  sent?(): SentProfile | undefined;
}

/** A request and the reply to it: all that differs between frameworks when a decision is asked for. */
export interface Exchange<Source = unknown> extends HostRequest<Source> {
  /** Called once the decision is made, before its reply is written: the host's other code may see the result. */
  onDecided(result: Result | undefined): void;
  /** Whether somebody has replied, or is about to. Then no reply is written. */
  hasBegun(): boolean;
  /** Whether that reply is complete, as far as its sender is concerned. Then there is no error to hand over either. */
  hasEnded(): boolean;
  /** Writes a reply, which is JSON text. @param headers - besides those that every reply has */
  write(
    status: number,
    body: string,
    requestId: string,
    headers?: Readonly<Record<string, string>> | undefined,
  ): void;
  /** Runs what must not delay the reply, once that has been written. @default in the next turn */
  whenWritten?(run: () => void): void;
  /** There is nothing to write, because somebody else replied. */
  leave(): void;
  /** Gives a failure that no caller may read to the host's error handling. */
  fail(error: Error, requestId: string): void;
  /** Whether a failure of a callback of the host goes to its error handling, instead of being replied to. */
  readonly handsOverHostErrors: boolean;
}

/** An exchange that other code responds to, if the decision lets it through. */
export interface GuardedExchange<Source = unknown> extends Exchange<Source> {
  /** Lets the request through. @param headers - for what replies to it */
  pass(requestId: string, headers?: Readonly<Record<string, string>> | undefined): void;
}

/** Gives a failure to the host's error handling, which may cut off a reply that is on its way. A complete reply needs none. */
export function handOver(thrown: unknown, requestId: string, exchange: Exchange): void {
  if (exchange.hasEnded()) exchange.leave();
  else exchange.fail(asThrowable(thrown), requestId);
}
