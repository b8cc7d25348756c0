import type { CallOrigin, DecisionReader, LoadGate, SentProfile } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendJson } from "../replies/send.js";
import { type docsPrefix, evaluationPath, type livePrefix, pinnedPath } from "../requests/admission.js";
import { readEvaluationBody } from "../requests/evaluation-body.js";
import { originOf } from "../requests/request-origin.js";
import { ServedDecisions, type ServingOptions } from "../requests/served-decisions.js";
import { ServerExchange } from "./server-exchange.js";

/** A request to evaluate a decision, once its body has been checked. */
interface EvaluationRequest {
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
  readonly origin: CallOrigin;
}

/** How evaluations are served. */
export interface EvaluationOptions extends ServingOptions {
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
