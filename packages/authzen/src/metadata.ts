import type { FacadeRoute } from "@decern/core";
import { metadataOperation } from "./operations.js";
import { echo } from "./replies.js";

export const evaluationPath = "/access/v1/evaluation";
export const evaluationsPath = "/access/v1/evaluations";

/**
 * The route that tells where the endpoints are. It is open: it says nothing about decisions, and callers read it to find out
 * how to ask.
 *
 * @param url - the identifier of the policy decision point, which callers compare with the one that they asked for
 */
export function metadataRoute(url: string): FacadeRoute {
  const { pathname } = new URL(url);
  const body = JSON.stringify({
    policy_decision_point: url,
    access_evaluation_endpoint: url + evaluationPath,
    access_evaluations_endpoint: url + evaluationsPath,
  });
  return {
    method: "GET",
    // The specification inserts it before the path of the identifier.
    path: `/.well-known/authzen-configuration${pathname === "/" ? "" : pathname}`,
    open: true,
    operation: metadataOperation,
    answer: ({ headers }) => ({ status: 200, body, headers: echo(headers) }),
  };
}
