import {
  type Clock,
  DecernError,
  type ExplainFeature,
  type ProfileOverride,
  type ProfileResolver,
} from "@decern/core";
import { CallChooser, type HostedDecision, type HostedVersion, RESULT_HTTP_STATUS } from "@decern/core/host";
import { type Catalogue, withDeadline } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { runInSlices } from "../base/values.js";
import { sendJson } from "../reply/send.js";
import { explainPath, pinnedExplainPath } from "../request/admission.js";
import { originOf, readEvaluationBody } from "../request/body.js";

/** How results are explained. */
interface ExplainRouteOptions {
  readonly catalogue: Catalogue;
  readonly profileOverride: ProfileOverride;
  readonly profileResolver: ProfileResolver | undefined;
  readonly clock: Clock;
  /** How long `profileResolver` may take. */
  readonly timeoutMs: number;
  readonly feature: ExplainFeature;
}

interface Asked {
  readonly id: string;
  readonly version?: string;
}

/** Serves `POST /decisions/:id/explain` and the same under a version. Its callers, versions and profiles are those of evaluations. */
export function explainRoutes(app: FastifyInstance, options: ExplainRouteOptions): void {
  const { catalogue, profileOverride, profileResolver, clock, timeoutMs, feature } = options;
  const policy = { profileResolver, merges: profileOverride === "merge" };

  const explain = async (request: FastifyRequest<{ Params: Asked }>, reply: FastifyReply) => {
    const { hosted, pinned } = find(catalogue, request.params);
    const read = readEvaluationBody(request.body, hosted, profileOverride);
    if ("refusal" in read) {
      sendJson(reply, read.refusal.status, read.refusal.body);
      return reply;
    }
    const { input } = read;
    // All evaluations of the search have the caller's profile.
    const sent = read.sent && { ...read.sent, isShared: true };
    const origin = originOf(request);
    const chooser = new CallChooser(catalogue, hosted, policy);
    const { decision, profile, profileFrom, profiles, headers } = await withDeadline(
      "profileResolver",
      timeoutMs,
      () => chooser.choose(input, origin, sent, pinned),
    );
    const { caller } = origin;
    const epochMs = clock.now();
    const call = { decision, input, profile, profiles, epochMs, requestId: request.id, caller };
    const steps = feature.explain(call);
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
  app.post<{ Params: Asked }>(explainPath, explain);
  app.post<{ Params: Asked }>(pinnedExplainPath, explain);
}

/** @throws DecernError `DECISION_NOT_FOUND`, `VERSION_NOT_FOUND`, `VERSION_RETIRED` */
function find(
  catalogue: Catalogue,
  { id, version }: Asked,
): { readonly hosted: HostedDecision; readonly pinned: HostedVersion | undefined } {
  const hosted = catalogue.get(id);
  if (hosted === undefined) throw new DecernError("DECISION_NOT_FOUND");
  if (version === undefined) return { hosted, pinned: undefined };
  const pinned = hosted.versions.get(version);
  if (pinned !== undefined) return { hosted, pinned };
  throw new DecernError(hosted.retired.has(version) ? "VERSION_RETIRED" : "VERSION_NOT_FOUND");
}
