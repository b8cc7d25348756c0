import type { ErrorCode, Origin, Result } from "@decern/core";
import { copyResult, errorBody, type GuardedExchange, tableReply } from "@decern/core/host";
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from "fastify";
import { sendReply } from "./body-errors.js";
import { prepareText } from "./prepared-text.js";
import { failedLater, type Reading, requestIdOf } from "./request.js";

const watched: unique symbol = Symbol("decern.watched-reply");

/** What a reply's own `send` was, and whether somebody has called it. */
interface WatchedReply {
  readonly send: FastifyReply["send"];
  isBegun: boolean;
}

declare module "fastify" {
  interface FastifyReply {
    /** Set once {@link watchReply} has wrapped the reply. */
    [watched]?: WatchedReply;
  }
}

/**
 * Watches a reply from now on, by wrapping `send` of this one reply. Fastify documents no other way: `reply.sent` turns true
 * when the last byte is written, which an asynchronous `onSend` hook of the host delays. A second reply in the meantime
 * would replace the status and headers of the first.
 *
 * Checked with Fastify 5.12 by `test/held-back.test.ts`. See ADR 12.
 */
function watchReply(reply: Pick<FastifyReply, "send" | typeof watched>): WatchedReply {
  const { send, [watched]: earlier } = reply;
  if (earlier === undefined) {
    const watch: WatchedReply = { send, isBegun: false };
    reply[watched] = watch;
    reply.send = noteAndSend;
    return watch;
  }
  // An earlier decision of this request watches it. The host may have put another `send` in its place since.
  if (send !== noteAndSend) {
    reply.send = (...payload) => {
      earlier.isBegun = true;
      return send.apply(reply, payload);
    };
  }
  return earlier;
}

/** One for all replies: a function of each reply's own would keep the reply, and its request, from being collected early. */
function noteAndSend(this: FastifyReply, ...payload: Parameters<FastifyReply["send"]>): FastifyReply {
  const { [watched]: watch } = this;
  if (watch === undefined) throw new TypeError("send was called on another object than its reply");
  watch.isBegun = true;
  return watch.send.apply(this, payload);
}

/**
 * Called once: after a reply was sent, when somebody else's reply was found, or to let the request through. With an error,
 * the host's error handling takes over.
 */
export type Done = (failure?: Error) => void;

/** What happens after a reply: a handler's promise settles, a hook just ends. */
type Kind = "handler" | "hook";

/** One Fastify request and the reply to it. */
export class FastifyExchange<Route extends RouteGenericInterface>
  implements GuardedExchange<FastifyRequest<Route>>
{
  readonly handsOverHostErrors = true;
  readonly source: FastifyRequest<Route>;
  readonly requestId: string;
  readonly #reading: Reading<Route>;
  readonly #reply: FastifyReply<Route>;
  readonly #done: Done | undefined;
  readonly #kind: Kind;
  readonly #watch: WatchedReply;
  #isHandedOver = false;
  #result: Result | undefined;

  /** @param done - @default nothing waits for the reply, and a failure is sent to the host's error handling */
  constructor(
    request: FastifyRequest<Route>,
    reply: FastifyReply<Route>,
    reading: Reading<Route>,
    kind: Kind,
    done?: Done | undefined,
  ) {
    this.source = request;
    this.requestId = requestIdOf(request, reply);
    this.#reading = reading;
    this.#reply = reply;
    this.#done = done;
    this.#kind = kind;
    this.#watch = watchReply(reply);
  }

  origin(): Origin {
    return this.#reading.origin(this.source);
  }

  input(): unknown {
    return this.#reading.input(this.source);
  }

  /** Binds one of the host's callbacks to this request. The callback may reply itself. */
  callback(
    callback:
      | ((result: Result, request: FastifyRequest<Route>, reply: FastifyReply<Route>) => unknown)
      | undefined,
  ): ((result: Result) => unknown) | undefined {
    if (callback === undefined) return undefined;
    return (result) => {
      this.source.decision = result;
      // The callback may change its result. That doesn't change the reply.
      this.#result = copyResult(result);
      const returned: unknown = callback(result, this.source, this.#reply);
      // Awaiting a reply would mean waiting for the client.
      this.#isHandedOver = returned === this.#reply;
      return this.#isHandedOver ? undefined : returned;
    };
  }

  onDecided(result: Result | undefined): void {
    this.#result ??= result;
    this.source.decision = result;
  }

  hasBegun(): boolean {
    return this.#isHandedOver || this.#watch.isBegun || this.#reply.sent;
  }

  /** Fastify finishes every reply that was started. */
  hasEnded(): boolean {
    return this.hasBegun();
  }

  write(
    status: number,
    body: string,
    requestId: string,
    headers?: Readonly<Record<string, string>> | undefined,
  ): void {
    sendReply(this.#reply, { status, payload: this.#payloadOf(body), requestId, headers });
    this.leave();
  }

  /** Replies that the request is the caller's mistake. */
  refuse(code: ErrorCode): void {
    const refusal = tableReply(code);
    const headers = refusal.status === 503 ? { "retry-after": "1" } : undefined;
    this.write(refusal.status, errorBody(refusal), this.requestId, headers);
  }

  /** A hook that calls `done` after a reply would let the request through. */
  leave(): void {
    if (this.#kind === "handler") this.#done?.();
  }

  fail(error: Error, requestId: string): void {
    if (!this.hasBegun()) this.#reply.header("x-request-id", requestId);
    this.source[failedLater] = true;
    const untyped: Pick<FastifyReply, "send"> = this.#reply;
    if (this.#done === undefined) untyped.send(error);
    else this.#done(error);
  }

  pass(requestId: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#reply.headers(headers).header("x-request-id", requestId);
    this.#done?.();
  }

  #payloadOf(text: string): object {
    const result = this.#result;
    // A hook only sends refusals, never the result.
    if (this.#kind === "hook" || result === undefined) return JSON.parse(text);
    // The host's own copy: a `preSerialization` hook may change it, and rules may return the same data every time.
    const payload = copyResult(result);
    this.source.decision = payload;
    prepareText(payload, { result, text });
    return payload;
  }
}
