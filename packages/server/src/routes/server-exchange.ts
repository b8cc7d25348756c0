import type { Exchange, LoadGate } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import { JSON_TYPE } from "../replies/send.js";

/** A request to evaluate a decision, and its reply, as core sees them. */
export class ServerExchange implements Exchange<unknown> {
  readonly handsOverHostErrors = false;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #load: LoadGate | undefined;

  /** @param load - the gate that the request entered, to be left after the evaluation */
  constructor(request: FastifyRequest, reply: FastifyReply, load: LoadGate | undefined) {
    this.#request = request;
    this.#reply = reply;
    this.#load = load;
  }

  get requestId(): string {
    return this.#request.id;
  }

  /** Frees the request's place: a place is for work, not for a reply that waits for the other replies of its turn. */
  onDecided(): void {
    this.#load?.leave(this.#reply.raw);
  }

  hasBegun(): boolean {
    return this.#reply.sent;
  }

  hasEnded(): boolean {
    return this.#reply.sent;
  }

  write(
    status: number,
    body: string,
    requestId: string,
    headers?: Readonly<Record<string, string>> | undefined,
  ): void {
    // A hook may have given the request another id.
    if (requestId !== this.#request.id) this.#reply.header("x-request-id", requestId);
    if (headers !== undefined) this.#reply.headers(headers);
    this.#reply.code(status).header("content-type", JSON_TYPE).send(body);
  }

  /** The host's `onSend` hooks may be asynchronous, and hold the reply back. */
  whenWritten(run: () => void): void {
    const response = this.#reply.raw;
    if (response.writableEnded || response.closed) setImmediate(run);
    else response.once("close", run);
  }

  leave(): void {}

  /** Fastify would send a value that is not an error as a reply with 200. */
  fail(error: Error): void {
    this.#reply.send(error);
  }
}
