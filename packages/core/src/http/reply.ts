import { type DecernError, errorBody, toErrorReply } from "../base/errors.js";
import { asThrowable, maskedError } from "../base/faults.js";
import { program, type UsedEvaluation } from "../decision/decision.js";
import { RESULT_HTTP_STATUS } from "../decision/reevaluation.js";
import { copyResult, type Result } from "../decision/result.js";
import type { RuleScope } from "../decision/scope.js";
import type { Origin } from "../service/request-view.js";
import type { Form, Run, SentProfile } from "../service/run.js";

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
  /** Whether that reply has been sent completely, so that an error can no longer be handed over. */
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

/** The outcome of an evaluation over HTTP, as an object. */
export interface Reply {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** To be sent as `x-request-id`. */
  readonly requestId: string;
  /** Further headers, such as those of a deprecated version. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Absent on an error. */
  readonly result: Result | undefined;
  /** Absent where there is a result. */
  readonly error: DecernError | undefined;
  /** Of a callback of the host that failed: for its error handling, instead of being sent. */
  readonly hostError: { readonly thrown: unknown } | undefined;
}

export function replyOf(run: Run): Reply {
  const { requestId, result, told, error } = run;
  const { status, body } = contentOf(run);
  const headers = headersOf(run);
  return { status, body, requestId, headers, result: told ?? result, error, hostError: hostErrorOf(run) };
}

// Kept from before anybody's test puts a fake in its place, under which no reply would leave. Browsers have none, and no host.
const afterThisTurn = globalThis.setImmediate;

/** A reply that comes so many milliseconds after the one before it is not made to wait: that would cost more than it saves. */
const apartMs = 0.25;

/**
 * Writes the replies of one host. Where they follow one another closely, each is written when the event loop has read and
 * evaluated all that had arrived, so that those of one turn leave one after another: docs/adr/0006 says why. A reply that is
 * alone, and one whose evaluation took its time, is written immediately.
 */
export class Replies {
  #lastMs = Number.NEGATIVE_INFINITY;

  write(run: Run, exchange: Exchange): void {
    exchange.onDecided(run.told ?? run.result);
    const nowMs = performance.now();
    if (nowMs - this.#lastMs > apartMs) {
      this.#write(run, exchange);
    } else {
      this.#lastMs = nowMs;
      // One for each, not a queue: each keeps the asynchronous context of its request.
      afterThisTurn(this.#write, run, exchange);
    }
  }

  /** What writing throws may be outside every `try` by now. */
  readonly #write = (run: Run, exchange: Exchange): void => {
    try {
      writeReply(run, exchange);
    } catch (thrown) {
      exchange.fail(asThrowable(thrown), exchange.requestId);
    }
    this.#lastMs = performance.now();
  };
}

/** Ends an exchange with a run, unless the host's other code has ended it. */
function writeReply(run: Run, exchange: Exchange): void {
  const { requestId, afterwards } = run;
  const hostError = hostErrorOf(run);
  if (hostError !== undefined && exchange.handsOverHostErrors) {
    handOver(hostError.thrown, requestId, exchange);
  } else if (exchange.hasBegun()) {
    exchange.leave();
  } else {
    const { status, body } = contentOf(run);
    exchange.write(status, body, requestId, headersOf(run));
  }
  if (afterwards === undefined) return;
  if (exchange.whenWritten === undefined) setImmediate(afterwards);
  else exchange.whenWritten(afterwards);
}

/** What a run is as a reply, or as one item of a list. */
export function contentOf({ result, text = "", error, errorReply }: Run): Pick<Reply, "status" | "body"> {
  if (result !== undefined) return { status: RESULT_HTTP_STATUS[result.status], body: text };
  const reply = errorReply ?? toErrorReply(error);
  return { status: reply.status, body: errorBody(reply) };
}

/** The version's headers, the id of the record, and when to try again. */
export function headersOf({ choice, ticket, errorReply }: Run): Reply["headers"] {
  const recordId = ticket?.recordId;
  const isUnavailable = errorReply?.status === 503;
  if (recordId === undefined && !isUnavailable) return choice.headers;
  return {
    ...choice.headers,
    ...(recordId === undefined ? {} : { "decern-record-id": recordId }),
    ...(isUnavailable ? { "retry-after": "1" } : {}),
  };
}

/** A failure that concerns the host, not the caller. */
export function hostErrorOf({ hostError, error }: Run): Reply["hostError"] {
  if (hostError !== undefined || error === undefined) return hostError;
  if (error.code !== "INVALID_HOST_PROFILE" && error.code !== "INTERNAL_ERROR") return undefined;
  return { thrown: error.cause === undefined ? maskedError(error) : error.cause };
}

/** Writes the envelope. */
export const envelope: Form = (result, { decision }) => decision[program].stringify(result);

/** As {@link envelope}, with a copy of the result for a host's callback. */
export const envelopeAndCopy: Form = (result, run) => {
  const text = envelope(result, run);
  run.told = copyResult(result);
  return text;
};

/** About how many characters of evaluations one trace has. A decision may pass all of a large input on a thousand times. */
const maxCharacters = 1_000_000;

/**
 * Writes `{ envelope, used }`: the envelope, and every evaluation that rules made of other decisions. Of a program that has
 * them, `parts` too. A trace that is too long ends early and says `truncated`.
 */
export const traced: Form = (result, run) => {
  const text = envelope(result, run);
  const trace = new TraceText();
  const used = trace.list(run.used);
  const parts = trace.parts(run.scope.parts);
  const end = trace.isTruncated ? `,"truncated":true}` : "}";
  return `{"envelope":${text},"used":${used}${parts}${end}`;
};

class TraceText {
  #left = maxCharacters;
  isTruncated = false;

  list(used: readonly UsedEvaluation[]): string {
    const entries: string[] = [];
    for (const one of used) {
      if (this.#left <= 0) {
        this.isTruncated = true;
        break;
      }
      entries.push(this.#entry(one));
    }
    return `[${entries.join()}]`;
  }

  parts(parts: RuleScope["parts"]): string {
    if (parts === undefined) return "";
    const text = jsonText(parts);
    this.#left -= text.length;
    if (this.#left >= 0) return `,"parts":${text}`;
    this.isTruncated = true;
    return "";
  }

  #entry({ decision, input, result, used }: UsedEvaluation): string {
    const names = `"decisionId":${JSON.stringify(decision.id)},"version":${JSON.stringify(decision.version)}`;
    const own = `{${names},"input":${jsonText(() => input)},"envelope":${envelopeText(decision[program], result)}`;
    this.#left -= own.length;
    return `${own},"used":${this.list(used)}}`;
  }
}

/** Rules may pass anything on. What JSON cannot carry must not fail a call that has succeeded. */
function jsonText(value: () => unknown): string {
  try {
    return JSON.stringify(value()) ?? "null";
  } catch {
    return "null";
  }
}

function envelopeText(writer: UsedEvaluation["decision"][typeof program], result: Result): string {
  try {
    return writer.stringify(result);
  } catch {
    // `data` has no JSON form, and it isn't sent: only the decision that used it is replied.
    const { status, meta } = result;
    return JSON.stringify({ status, meta });
  }
}
