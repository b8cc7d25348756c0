import type { ErrorCode, Origin, Result } from "@decern/core";
import { copyResult, errorBody, type GuardedExchange, type OnResult, tableReply } from "@decern/core/host";
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from "fastify";
import { sendReply } from "./body-errors.js";
import { prepareText } from "./prepared-text.js";
import { type Reading, requestIdOf } from "./request.js";

/**
 * Watches a reply from now on, by wrapping `send` of this one reply. Fastify documents no other way: `reply.sent` turns true
 * when the last byte is written, which an asynchronous `onSend` hook of the host delays. A second reply in the meantime
 * would replace the status and headers of the first.
 *
 * Checked with Fastify 5.12 by `test/held-back.test.ts`. See ADR 12.
 *
 * @returns tells whether somebody has sent a reply
 */
function watchReply(reply: Pick<FastifyReply, "send" | "sent">): () => boolean {
  let called = false;
  const { send } = reply;
  reply.send = (...payload) => {
    called = true;
    return send.apply(reply, payload);
  };
  return () => called || reply.sent;
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
  readonly #done: Done;
  readonly #kind: Kind;
  readonly #isSent: () => boolean;
  #isHandedOver = false;
  #result: Result | undefined;

  constructor(
    request: FastifyRequest<Route>,
    reply: FastifyReply<Route>,
    reading: Reading<Route>,
    kind: Kind,
    done: Done,
  ) {
    this.source = request;
    this.requestId = requestIdOf(request, reply);
    this.#reading = reading;
    this.#reply = reply;
    this.#done = done;
    this.#kind = kind;
    this.#isSent = watchReply(reply);
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
  ): OnResult | undefined {
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
    return this.#isHandedOver || this.#isSent();
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
    this.write(refusal.status, errorBody(refusal), this.requestId);
  }

  /** A hook that calls `done` after a reply would let the request through. */
  leave(): void {
    if (this.#kind === "handler") this.#done();
  }

  fail(error: Error, requestId: string): void {
    if (!this.hasBegun()) this.#reply.header("x-request-id", requestId);
    this.#done(error);
  }

  pass(requestId: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#reply.headers(headers).header("x-request-id", requestId);
    this.#done();
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
