import { DecernError, type ProfileOverride, type ProfileResolver } from "@decern/core";
import {
  CallChooser,
  type CallOrigin,
  type Catalogue,
  DecisionHandlers,
  type DecisionReader,
  type ErrorReply,
  type EvaluationPipeline,
  type HostedDecision,
  type ReplyEncoder,
  type SentProfile,
  tableReply,
} from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isRecord } from "../is-record.js";
import type { LoadGate } from "../overload/load-gate.js";
import { sendError, sendJson } from "../replies/send.js";
import { type docsPrefix, evaluationPath, pinnedPath } from "../requests/admission.js";
import { originOf } from "../requests/request-origin.js";
import { ServerExchange } from "./server-exchange.js";

const missingInput = JSON.stringify({ error: tableReply("MISSING_INPUT").message });

/** The body of a request to evaluate a decision. */
type EvaluationBody = Readonly<Record<string, unknown>>;

/** A request to evaluate a decision, once its body has been checked. */
interface EvaluationRequest {
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
  readonly origin: CallOrigin;
}

/** How evaluations are served. */
export interface EvaluationOptions {
  readonly catalogue: Catalogue;
  readonly pipeline: EvaluationPipeline;
  readonly profileOverride: ProfileOverride;
  readonly profileResolver: ProfileResolver | undefined;
  /** The gate that a request entered, to be left after the evaluation. */
  readonly load: LoadGate | undefined;
  /** Before the path. @default nothing */
  readonly prefix?: typeof docsPrefix | undefined;
  /** Writes the reply to an evaluation. @default one that writes the envelope */
  readonly encoder?: ReplyEncoder | undefined;
}

/**
 * Serves `POST /decisions/:id` and `POST /decisions/:id/versions/:version`, maybe under a prefix, for decisions that
 * `admitRequests` has found. Nothing is awaited where nothing is asynchronous.
 */
export function evaluationRoutes(app: FastifyInstance, options: EvaluationOptions): void {
  const { catalogue, pipeline, profileOverride, profileResolver, load, prefix = "", encoder } = options;
  const policy = { profileResolver, merges: profileOverride === "merge" };
  const reader: DecisionReader<EvaluationRequest> = {
    input: ({ input }) => input,
    origin: ({ origin }) => origin,
    sent: ({ sent }) => sent,
  };
  const served = new Map(
    [...catalogue.decisions].map(([id, hosted]) => {
      const chooser = new CallChooser(catalogue, hosted, policy, hosted.shadow);
      const handlers = new DecisionHandlers(pipeline, hosted, chooser, reader, encoder);
      return [id, { hosted, handlers }] as const;
    }),
  );
  const evaluate = (
    request: FastifyRequest,
    reply: FastifyReply,
    { id, version }: { readonly id: string; readonly version?: string },
  ): void => {
    const one = served.get(id);
    if (one === undefined) throw new DecernError("DECISION_NOT_FOUND");
    const { handlers, hosted } = one;
    const handler = version === undefined ? handlers.standard : handlers.find(version);
    if (typeof handler === "string") throw new DecernError(handler);
    const { body } = request;
    if (!isRecord(body) || !Object.hasOwn(body, "input")) {
      sendJson(reply, 400, missingInput);
      return;
    }
    const refusal = refuseProfile(body, hosted, profileOverride);
    if (refusal !== undefined) {
      sendError(reply, refusal);
      return;
    }
    const call = { input: body["input"], sent: sentProfile(body), origin: originOf(request) };
    handler.respond(call, new ServerExchange(request, reply, load));
  };
  app.post<{ Params: { id: string } }>(prefix + evaluationPath, (request, reply) =>
    evaluate(request, reply, request.params),
  );
  app.post<{ Params: { id: string; version: string } }>(prefix + pinnedPath, (request, reply) =>
    evaluate(request, reply, request.params),
  );
}

/** Why a caller may not bring, or choose, a profile as this body does. A field is present even if it is null or false. */
function refuseProfile(
  body: EvaluationBody,
  { offered }: HostedDecision,
  profileOverride: ProfileOverride,
): ErrorReply | undefined {
  const brings = Object.hasOwn(body, "profile");
  if (brings && profileOverride === false) return tableReply("PROFILE_OVERRIDE_FORBIDDEN");
  if (!Object.hasOwn(body, "profileName")) return undefined;
  const name = body["profileName"];
  // The same reply whether or not there is a profile of that name.
  if (typeof name !== "string" || !offered.has(name)) return tableReply("PROFILE_NOT_OFFERED");
  return brings && profileOverride === "replace"
    ? tableReply("BAD_REQUEST", "send either 'profile' or 'profileName'")
    : undefined;
}

function sentProfile(body: EvaluationBody): SentProfile | undefined {
  const brings = Object.hasOwn(body, "profile");
  const name = Object.hasOwn(body, "profileName") ? body["profileName"] : undefined;
  if (!brings) return name === undefined ? undefined : { name };
  return { profile: body["profile"], name };
}
