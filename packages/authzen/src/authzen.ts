import type {
  Awaitable,
  Decision,
  Facade,
  FeatureHost,
  FeatureReply,
  FeatureRequest,
  FeatureRoute,
  MappedInput,
  Result,
} from "@decern/core";
import {
  checkedOptions,
  decisionKind,
  feature,
  type Kind,
  kinds,
  option,
  type RowsOf,
  requiredOption,
} from "@decern/core/options";
import { createAccessEvaluator, evaluateAll } from "./access-evaluator.js";
import { type AccessRequest, RequestProblem, readAccessRequest, readEvaluations } from "./access-request.js";
import {
  errorReply,
  evaluationOperation,
  evaluationPath,
  evaluationsOperation,
  evaluationsPath,
  evaluationsReply,
  metadataRoute,
  singleReply,
} from "./operations.js";

/** Options of `authzen`. */
export interface AuthzenOptions<Input, Mapped> {
  /** Decides. The host must serve it too. */
  readonly evaluation: Decision<Input>;
  /** Returns the decision's input. TypeScript checks it unless its type is `unknown`. */
  readonly toInput: (request: AccessRequest) => Awaitable<MappedInput<NoInfer<Input>, Mapped>>;
  /**
   * Whether a result denies access. Anything but `false` does.
   * @default reads the output's boolean `allowed`, `allow`, `granted`, `permitted` or `approved`
   */
  readonly isDenied?: ((result: Result) => boolean) | undefined;
  /**
   * Returns the `context` of the response, a JSON object, or nothing.
   * @default the decision, its version, the rule that matched and its explanation
   */
  readonly toContext?: ((result: Result) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /** Where callers reach the service, `https` without query and fragment. With it the metadata are served. @default none */
  readonly url?: string | undefined;
  /** How many evaluations one request may ask for. @default 1000 */
  readonly maxEvaluations?: number | undefined;
}

const identifier: Kind<string> = kinds.that(
  (value) => typeof value === "string" && isIdentifier(value),
  'must be an https URL without query, fragment and final "/", such as https://pdp.example.com',
);

function isIdentifier(value: string): boolean {
  if (!URL.canParse(value) || /[?#]|\/$/.test(value)) return false;
  const { protocol, username, password, pathname } = new URL(value);
  return protocol === "https:" && username === "" && password === "" && /^[\w.~/-]*$/.test(pathname);
}

const rows = {
  // The host finds out whether it serves it.
  evaluation: requiredOption(decisionKind),
  toInput: requiredOption(kinds.callback<never>()),
  isDenied: option(kinds.callback<never>()),
  toContext: option(kinds.callback<never>()),
  url: option(identifier),
  maxEvaluations: option(kinds.wholeNumber),
} satisfies RowsOf<AuthzenOptions<unknown, unknown>>;

/**
 * Lets policy enforcement points ask a decision over the AuthZEN Authorization API 1.0: `POST /access/v1/evaluation`,
 * `POST /access/v1/evaluations` and, with `url`, the metadata. Anything but a clear yes from the decision is a no.
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
  checkedOptions("authzen", options, rows);
  const { evaluation, toInput, isDenied, toContext, url, maxEvaluations = 1000 } = options;
  return {
    [feature]: "facade",
    name: "authzen",
    decisions: [evaluation],
    routes: (host) => routesOf(host),
    refuse: ({ status, message }, { headers }) => errorReply(status === 415 ? 400 : status, message, headers),
  };

  function routesOf(host: FeatureHost): readonly FeatureRoute[] {
    const evaluate = createAccessEvaluator(host, { evaluation, toInput, isDenied, toContext });
    const answerOne = async (request: FeatureRequest): Promise<FeatureReply> => {
      const { body, headers } = request;
      const access = readAccessRequest(body);
      if (access instanceof RequestProblem) return errorReply(400, access.message, headers);
      return singleReply(await evaluate(access, request), headers);
    };
    const answerAll = async (request: FeatureRequest): Promise<FeatureReply> => {
      const { body, headers } = request;
      const evaluations = readEvaluations(body, maxEvaluations);
      if (evaluations === undefined) return answerOne(request);
      if (evaluations instanceof RequestProblem)
        return errorReply(evaluations.status, evaluations.message, headers);
      return evaluationsReply(await evaluateAll(host, evaluations, evaluate, request), headers);
    };
    return [
      { method: "POST", path: evaluationPath, operation: evaluationOperation, answer: answerOne },
      { method: "POST", path: evaluationsPath, operation: evaluationsOperation, answer: answerAll },
      ...(url === undefined ? [] : [metadataRoute(url)]),
    ];
  }
}
