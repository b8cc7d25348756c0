import { DecernError, type Decision } from "@decern/core";
import {
  createRequestHandler,
  type EvaluationPipeline,
  type Exchange,
  type RequestHandler,
  respond,
  tableReply,
} from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isRecord } from "../is-record.js";
import type { LoadGate } from "../overload/load-gate.js";
import { sendError, sendJson } from "../replies/send.js";
import { evaluationPath } from "../requests/admission.js";

const missingInput = JSON.stringify({ error: tableReply("MISSING_INPUT").message });

/** The body of a request that asks for a decision. */
type EvaluationBody = Readonly<Record<string, unknown>>;

/** Present is present, also when it is null or false. */
const reader = {
  input: (body: EvaluationBody) => body["input"],
  profile: (body: EvaluationBody) => (Object.hasOwn(body, "profile") ? body["profile"] : undefined),
  profileFrom: "caller",
} as const;

/**
 * Serves `POST /decisions/:id`, for ids that `admitRequests` has found. Nothing is awaited where nothing is asynchronous.
 *
 * @param load - where the request took its place, to be left once the decision is made
 */
export function evaluationRoute(
  app: FastifyInstance,
  catalogue: ReadonlyMap<string, Decision>,
  pipeline: EvaluationPipeline,
  profileOverride: boolean,
  load: LoadGate | undefined,
): void {
  const handlers = new Map<string, RequestHandler<EvaluationBody, unknown>>();
  for (const decision of catalogue.values()) {
    handlers.set(decision.id, createRequestHandler(pipeline, decision, reader));
  }
  app.post<{ Params: { id: string } }>(evaluationPath, (request, reply) => {
    const { body, params } = request;
    const handler = handlers.get(params.id);
    if (handler === undefined) throw new DecernError("DECISION_NOT_FOUND");
    if (!isRecord(body) || !Object.hasOwn(body, "input")) {
      sendJson(reply, 400, missingInput);
    } else if (!profileOverride && Object.hasOwn(body, "profile")) {
      sendError(reply, tableReply("PROFILE_OVERRIDE_FORBIDDEN"));
    } else {
      respond(handler, body, new ServerExchange(request, reply, load));
    }
  });
}

class ServerExchange implements Exchange<unknown> {
  readonly handsOverHostErrors = false;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #load: LoadGate | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, load: LoadGate | undefined) {
    this.#request = request;
    this.#reply = reply;
    this.#load = load;
  }

  get requestId(): string {
    return this.#request.id;
  }

  /** Gives the request's place to another one: a place is for work, not for a reply that waits for others of its turn. */
  onDecided(): void {
    this.#load?.leave(this.#reply.raw);
  }

  hasBegun(): boolean {
    return this.#reply.sent;
  }

  hasEnded(): boolean {
    return this.#reply.sent;
  }

  write(status: number, body: string, requestId: string): void {
    // A hook may have given the request another id.
    if (requestId !== this.#request.id) this.#reply.header("x-request-id", requestId);
    sendJson(this.#reply, status, body);
  }

  leave(): void {}

  /** What is not an error would be sent as a reply, with 200. */
  fail(error: Error): void {
    this.#reply.send(error);
  }
}
