import { DecernError, type ExplainFeature, type ProfileOverride } from "@decern/core";
import { RESULT_HTTP_STATUS, type Service } from "@decern/core/host";
import { withDeadline } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { runInSlices } from "../base/values.js";
import { sendJson } from "../reply/send.js";
import { explainPath, pinnedExplainPath, targetOf } from "../request/admission.js";
import { originOf, readEvaluationBody } from "../request/body.js";

/** How results are explained. */
interface ExplainRouteOptions {
  readonly service: Service;
  readonly profileOverride: ProfileOverride;
  readonly feature: ExplainFeature;
}

/** Serves `POST /decisions/:id/explain` and the same under a version. Its callers, versions and profiles are those of evaluations. */
export function explainRoutes(app: FastifyInstance, options: ExplainRouteOptions): void {
  const { service, profileOverride, feature } = options;
  const { chooser, runner } = service;

  const explain = async (request: FastifyRequest, reply: FastifyReply) => {
    const target = targetOf(request);
    const read = readEvaluationBody(request.body, target.served, profileOverride);
    if ("refusal" in read) {
      sendJson(reply, read.refusal.status, read.refusal.body);
      return reply;
    }
    const { input } = read;
    // All evaluations of the search have the caller's profile.
    const sent = read.sent && { ...read.sent, shared: new Map() };
    const origin = originOf(request);
    const choice = await withDeadline("profileResolver", runner.hookTimeoutMs, () =>
      chooser.choose(target, origin, input, sent, request),
    );
    const { decision, profileFrom, headers } = choice;
    const steps = feature.explain(service.callFor(choice, origin, input, request.id));
    const explanation = await runInSlices(steps, () => !reply.raw.closed);
    if (explanation === undefined) return reply.hijack();
    const { status } = explanation.envelope;
    if (status === "INVALID_PROFILE" && profileFrom === "host") {
      const detail = `the profile that profileResolver returned for decision "${decision.id}" breaks its schema`;
      throw new DecernError("INVALID_HOST_PROFILE", { detail });
    }
    if (headers !== undefined) reply.headers(headers);
    const httpStatus = RESULT_HTTP_STATUS[status];
    // As an evaluation refuses the call.
    sendJson(reply, httpStatus, JSON.stringify(httpStatus === 200 ? explanation : explanation.envelope));
    return reply;
  };
  app.post(explainPath, explain);
  app.post(pinnedExplainPath, explain);
}
