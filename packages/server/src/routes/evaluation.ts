import { DecernError, type Decision } from "@decern/core";
import {
  createRequestHandler,
  type EvaluationPipeline,
  type Exchange,
  type RequestHandler,
  respond,
  tableReply,
} from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { leavePlace } from "../overload/shed-load.js";
import { decisionNotFound } from "../replies/decision-not-found.js";
import { sendError, sendJson } from "../replies/send.js";

const missingInput = JSON.stringify({ error: tableReply("MISSING_INPUT").message });

/** The body of a request that asks for a decision. */
type EvaluationBody = Readonly<Record<string, unknown>>;

/** Present is present, also when it is null or false. */
const reader = {
  input: (body: EvaluationBody) => body["input"],
  profile: (body: EvaluationBody) => (Object.hasOwn(body, "profile") ? body["profile"] : undefined),
  profileFrom: "caller",
} as const;

/** Serves `POST /decisions/:id`. Nothing is awaited where nothing is asynchronous. */
export function evaluationRoute(
  app: FastifyInstance,
  catalogue: ReadonlyMap<string, Decision>,
  pipeline: EvaluationPipeline,
  profileOverride: boolean,
): void {
  const handlers = new Map<string, RequestHandler<EvaluationBody, unknown>>();
  for (const decision of catalogue.values()) {
    handlers.set(decision.id, createRequestHandler(pipeline, decision, reader));
  }
  type Request = FastifyRequest<{ Params: { id: string } }>;
  // The id is in the URL: nothing of the body, nor of its type, is judged for a decision that there is not.
  const onRequest = (request: Request, reply: FastifyReply, done: () => void): void => {
    const { id } = request.params;
    if (handlers.has(id)) done();
    else decisionNotFound(reply, id);
  };
  app.post<{ Params: { id: string } }>("/decisions/:id", { onRequest }, (request, reply) => {
    const { body, params } = request;
    const handler = handlers.get(params.id);
    if (handler === undefined) throw new DecernError("DECISION_NOT_FOUND");
    if (!isJsonObject(body) || !Object.hasOwn(body, "input")) {
      sendJson(reply, 400, missingInput);
    } else if (!profileOverride && Object.hasOwn(body, "profile")) {
      sendError(reply, tableReply("PROFILE_OVERRIDE_FORBIDDEN"));
    } else {
      respond(handler, body, new ServerExchange(request, reply));
    }
  });
}

class ServerExchange implements Exchange<unknown> {
  readonly handsOverHostErrors = false;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  get requestId(): string {
    return this.#request.id;
  }

  /** What is left to do is to send the reply, which waits for those of its turn. */
  onDecided(): void {
    leavePlace(this.#request);
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
