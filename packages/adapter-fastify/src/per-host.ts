import type { EvaluatorOptions } from "@decern/core";
import { EvaluationPipeline } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/**
 * Makes something once for each host that serves it. A handler or hook learns of its host, whose log is the default one,
 * at the first request only; `make` also runs at once, so that what is wrong shows at registration.
 */
export function perHost<T>(
  options: EvaluatorOptions,
  make: (pipeline: EvaluationPipeline) => T,
): (request: FastifyRequest) => T {
  const own = make(new EvaluationPipeline(options));
  if (options.logger !== undefined) return () => own;
  const made = new WeakMap<object, T>();
  return ({ server: { log } }) => {
    let known = made.get(log);
    if (known === undefined) {
      known = make(new EvaluationPipeline({ ...options, logger: log }));
      made.set(log, known);
    }
    return known;
  };
}
