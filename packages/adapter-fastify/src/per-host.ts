import type { EvaluatorOptions } from "@decern/core";
import { EvaluationPipeline } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/**
 * Makes something once for each host. A handler or hook learns which host it serves, and so the default log, at its first
 * request. `make` also runs at once, so that wrong options fail at registration.
 */
export function perHost<T>(
  options: EvaluatorOptions,
  make: (pipeline: EvaluationPipeline) => T,
): (request: Pick<FastifyRequest, "server">) => T {
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
