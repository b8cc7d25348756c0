import type { Result } from "@decern/core";
import type { GuardedExchange } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import { requestIdOf } from "./request-id.js";
import { sendResult } from "./send-result.js";
import { watchSend } from "./watch-send.js";
import { writeReply } from "./write-reply.js";

/**
 * Called once, when a reply was sent, the one of somebody else was found, or the request is let through: with an error for
 * the host's error handling.
 */
export type Done = (failure?: Error) => void;

/** What happens after a reply: a handler's promise settles, a hook just ends. */
type Kind = "handler" | "hook";

/** One request of Fastify, and the reply to it. */
export class FastifyExchange implements GuardedExchange<unknown> {
  readonly handsOverHostErrors = true;
  readonly requestId: string;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #done: Done;
  readonly #kind: Kind;
  readonly #isSent: () => boolean;
  #isHandedOver = false;
  #result: Result | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, kind: Kind, done: Done) {
    this.requestId = requestIdOf(request, reply);
    this.#request = request;
    this.#reply = reply;
    this.#done = done;
    this.#kind = kind;
    this.#isSent = watchSend(reply);
  }

  /** Makes a callback of the host's, which may reply, one that can be told of a result. */
  callback<Output>(
    callback: ((result: Result<Output>, request: FastifyRequest, reply: FastifyReply) => unknown) | undefined,
  ): ((result: Result<Output>) => unknown) | undefined {
    if (callback === undefined) return undefined;
    return (result) => {
      this.onDecided(result);
      const returned: unknown = callback(result, this.#request, this.#reply);
      // Waiting for a reply would be waiting for the client.
      this.#isHandedOver = returned === this.#reply;
      return this.#isHandedOver ? undefined : returned;
    };
  }

  onDecided(result: Result | undefined): void {
    this.#result = result;
    this.#request.decision = result;
  }

  hasBegun(): boolean {
    return this.#isHandedOver || this.#isSent();
  }

  /** Fastify finishes every reply that was begun. */
  hasEnded(): boolean {
    return this.hasBegun();
  }

  write(status: number, body: string, requestId: string): void {
    // What a hook replies is a refusal, never the result.
    if (this.#kind === "hook" || this.#result === undefined) {
      writeReply(this.#reply, status, body, requestId);
    } else {
      sendResult(this.#request, this.#reply, { status, body, requestId, result: this.#result });
    }
    this.leave();
  }

  /** A hook that calls `done` after a reply would let the request through. */
  leave(): void {
    if (this.#kind === "handler") this.#done();
  }

  fail(error: Error, requestId: string): void {
    if (!this.hasBegun()) this.#reply.header("x-request-id", requestId);
    this.#done(error);
  }

  pass(requestId: string): void {
    this.#reply.header("x-request-id", requestId);
    this.#done();
  }
}
