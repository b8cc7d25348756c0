import type { Decision, EvaluatorOptions, ProfilesOf } from "@decern/core";
import {
  createRequestHandler,
  decisionPath,
  EvaluationPipeline,
  evaluatorOptionKinds,
  type OptionTable,
  optionKinds,
  optionProblems,
  prefixKind,
  prepareCatalogue,
} from "@decern/core/host";
import type { FastifyInstance, FastifyRequest, RegisterOptions } from "fastify";
import { bodyErrors } from "./body-errors.js";
import { bodyOf } from "./create-decision-handler.js";
import { missingPrefix } from "./missing-prefix.js";
import { nameForbiddenKeys } from "./name-forbidden-keys.js";
import { replyWithDecision } from "./reply-with-decision.js";

/** What {@link decisionPlugin} takes. */
export interface DecisionPluginOptions<Decisions extends readonly Decision[] = readonly Decision[]>
  extends EvaluatorOptions {
  readonly decisions: Decisions;
  /** Profiles by decision id, checked at registration. */
  readonly profiles?: ProfilesOf<Decisions> | undefined;
  /** Path segments before the decision's id: `x`, `/x` and `/x/` are the same. @default none */
  readonly prefix?: string | undefined;
}

const { anything, listOf, object } = optionKinds;

const kinds: OptionTable<DecisionPluginOptions & Pick<RegisterOptions, "logLevel" | "logSerializers">> = {
  // `prepareCatalogue` looks into both.
  decisions: listOf(anything),
  profiles: object,
  prefix: prefixKind,
  ...evaluatorOptionKinds,
  // Fastify's own, which it hands on.
  logLevel: anything,
  logSerializers: anything,
};

/**
 * Serves decisions, each at `POST <prefix>/<id>`. It works registered plain, nested, more than once, and wrapped by
 * `fastify-plugin`; no other route notices.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * await app.register(decisionPlugin, { decisions: [loanApproval], prefix: "/decisions" });
 * ```
 */
export async function decisionPlugin<const Decisions extends readonly Decision[]>(
  app: FastifyInstance,
  options: DecisionPluginOptions<Decisions>,
): Promise<void> {
  const problems = optionProblems(options, { kinds, required: ["decisions"] });
  const catalogue = prepareCatalogue("decisionPlugin", options, problems, { logger: app.log });
  const { logger = app.log } = options;
  const prefix = missingPrefix(app, options.prefix, decisionPlugin);
  const pipeline = new EvaluationPipeline({ ...options, logger });
  // A scope of our own, also where `fastify-plugin` took it away.
  await app.register(async (scope) => {
    nameForbiddenKeys(scope);
    for (const decision of catalogue.values()) {
      const handler = createRequestHandler<FastifyRequest, unknown>(pipeline, decision, { input: bodyOf });
      scope.route({
        ...bodyErrors,
        method: "POST",
        url: decisionPath(prefix, decision.id),
        handler: (request, reply) =>
          replyWithDecision(handler, {}, request, reply, (failure) => {
            if (failure !== undefined) reply.send(failure);
          }),
      });
    }
  });
}
