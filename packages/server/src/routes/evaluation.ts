import type { CallOrigin, DecisionReader, Exchange, LoadGate, SentProfile } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { JSON_TYPE, sendJson } from "../reply/send.js";
import { type docsPrefix, evaluationPath, type livePrefix, pinnedPath } from "../request/admission.js";
import { originOf, readEvaluationBody } from "../request/body.js";
import { ServedDecisions, type ServingOptions } from "../request/served-decisions.js";

/** A request to evaluate a decision, and its reply, as core sees them. */
class ServerExchange implements Exchange<unknown> {
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

/** A request to evaluate a decision, once its body has been checked. */
interface EvaluationRequest {
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
  readonly origin: CallOrigin;
}

/** How evaluations are served. */
interface EvaluationOptions extends ServingOptions {
  /** The gate that a request entered, to be left after the evaluation. */
  readonly load: LoadGate | undefined;
  /** Before the path. @default nothing */
  readonly prefix?: typeof docsPrefix | typeof livePrefix | undefined;
}

/**
 * Serves `POST /decisions/:id` and `POST /decisions/:id/versions/:version`, maybe under a prefix, for decisions that
 * `admitRequests` has found. Nothing is awaited where nothing is asynchronous.
 */
export function evaluationRoutes(app: FastifyInstance, options: EvaluationOptions): void {
  const { profileOverride, load, prefix = "" } = options;
  const reader: DecisionReader<EvaluationRequest> = {
    input: ({ input }) => input,
    origin: ({ origin }) => origin,
    sent: ({ sent }) => sent,
  };
  const served = new ServedDecisions(options, reader);
  const evaluate = (
    request: FastifyRequest,
    reply: FastifyReply,
    params: { readonly id: string; readonly version?: string },
  ): void => {
    const { handler, hosted } = served.find(params);
    const read = readEvaluationBody(request.body, hosted, profileOverride);
    if ("refusal" in read) {
      sendJson(reply, read.refusal.status, read.refusal.body);
      return;
    }
    const call = { ...read, origin: originOf(request) };
    handler.respond(call, new ServerExchange(request, reply, load));
  };
  app.post<{ Params: { id: string } }>(prefix + evaluationPath, (request, reply) =>
    evaluate(request, reply, request.params),
  );
  app.post<{ Params: { id: string; version: string } }>(prefix + pinnedPath, (request, reply) =>
    evaluate(request, reply, request.params),
  );
}
