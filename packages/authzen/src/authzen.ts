import type { Facade, FacadeHost, FacadeReply, FacadeRequest, FacadeRoute } from "@decern/core";
import { feature } from "@decern/core/tools";
import { createAccessJudge } from "./access-judge.js";
import { RequestProblem, readAccessRequest } from "./access-request.js";
import { judgeAll } from "./judge-all.js";
import { evaluationPath, evaluationsPath, metadataRoute } from "./metadata.js";
import { evaluationOperation, evaluationsOperation } from "./operations.js";
import { type AuthzenOptions, checkAuthzenOptions } from "./options.js";
import { readEvaluations } from "./read-evaluations.js";
import { errorReply, evaluationsReply, singleReply } from "./replies.js";

/**
 * Lets policy enforcement points ask a decision over the AuthZEN Authorization API 1.0: `POST /access/v1/evaluation`,
 * `POST /access/v1/evaluations` and, with `url`, the metadata. Whatever is no clear yes of the decision is no yes.
 *
 * @returns what a host takes in its option `facades`
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * createServer({
 *   decisions: [canRead],
 *   facades: [authzen({ evaluation: canRead, toInput: ({ subject }) => ({ role: subject.properties?.["role"] }) })],
 * });
 * ```
 */
export function authzen<Input, Mapped = unknown>(options: AuthzenOptions<Input, Mapped>): Facade {
  checkAuthzenOptions(options);
  const { evaluation, toInput, isDenied, toContext, url, maxEvaluations = 1000 } = options;
  return {
    [feature]: "facade",
    name: "authzen",
    decisions: [evaluation],
    mount: (host) => routesOf(host),
    refuse: ({ status, message }, { headers }) => errorReply(status === 415 ? 400 : status, message, headers),
  };

  function routesOf(host: FacadeHost): readonly FacadeRoute[] {
    const judge = createAccessJudge(host, { evaluation, toInput, isDenied, toContext });
    const answerOne = async (request: FacadeRequest): Promise<FacadeReply> => {
      const { body, headers } = request;
      const access = readAccessRequest(body);
      if (access instanceof RequestProblem) return errorReply(400, access.message, headers);
      return singleReply(await judge(access, request), headers);
    };
    const answerAll = async (request: FacadeRequest): Promise<FacadeReply> => {
      const { body, headers } = request;
      const evaluations = readEvaluations(body, maxEvaluations);
      if (evaluations === undefined) return answerOne(request);
      if (evaluations instanceof RequestProblem)
        return errorReply(evaluations.status, evaluations.message, headers);
      return evaluationsReply(await judgeAll(evaluations, judge, request), headers);
    };
    return [
      { method: "POST", path: evaluationPath, operation: evaluationOperation, answer: answerOne },
      { method: "POST", path: evaluationsPath, operation: evaluationsOperation, answer: answerAll },
      ...(url === undefined ? [] : [metadataRoute(url)]),
    ];
  }
}
