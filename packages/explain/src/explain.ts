import {
  DecernError,
  type ExplainFeature,
  type FeatureHost,
  type FeatureReply,
  type FeatureRequest,
} from "@decern/core";
import { checkedOptions, feature, kinds, type OptionsOf, option } from "@decern/core/options";
import { runInSlices } from "@decern/core/tools";
import { explainCall } from "./explain-call.js";

const rows = {
  /** How many evaluations one request may cost at most. @default 5000 */
  maxEvaluations: option(kinds.wholeNumber, 5000),
} as const;

/** Options of `explain`. */
export interface ExplainOptions extends OptionsOf<typeof rows> {}

/**
 * Shows which change of an input would change the result, at `POST <decision>/explain`. Pass what this returns to `createServer`
 * as `explain`, or to a router or plugin among `features`.
 *
 * @throws DecernError `INVALID_OPTIONS` for unknown or invalid options
 *
 * @example
 * ```ts
 * createServer({ decisions, explain: explain({ maxEvaluations: 2000 }) });
 * ```
 */
export function explain(options: ExplainOptions = {}): ExplainFeature {
  const { maxEvaluations } = checkedOptions("explain", options, rows);
  return {
    [feature]: "explain",
    name: "explain",
    enabled: true,
    routes: (host) => [
      {
        method: "POST",
        path: "/explain",
        ofDecision: true,
        answer: (request) => answerOf(host, request, maxEvaluations),
      },
    ],
  };
}

/** Callers, versions and profiles are those of evaluations. */
async function answerOf(
  host: FeatureHost,
  request: FeatureRequest,
  maxEvaluations: number,
): Promise<FeatureReply> {
  const { call, profileFrom, headers } = await host.callOf(request);
  const explanation = await runInSlices(explainCall(call, maxEvaluations), () => !request.isGone());
  // The client has gone.
  if (explanation === undefined) return { status: 200 };
  const { envelope } = explanation;
  if (envelope.status === "INVALID_PROFILE" && profileFrom === "host") {
    const detail = `the profile that profileResolver returned for decision "${call.decision.id}" breaks its schema`;
    throw new DecernError("INVALID_HOST_PROFILE", { detail });
  }
  const status = envelope.status === "OK" || envelope.status === "NO_MATCH" ? 200 : 400;
  // As an evaluation refuses the call.
  return { status, headers, body: JSON.stringify(status === 200 ? explanation : envelope) };
}
