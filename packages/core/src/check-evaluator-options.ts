import { DecernError } from "./errors.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import { checkOptions } from "./options.js";

/**
 * Refuses hooks and observers that would never be called.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkEvaluatorOptions({ hooks, observers }: EvaluatorOptions): void {
  checkOptions("hooks", hooks ?? {}, { known: ["beforeEvaluate", "afterEvaluate", "onError"] });
  const problems = Object.entries(hooks ?? {}).flatMap(([name, hook]) =>
    hook === undefined || typeof hook === "function"
      ? []
      : [{ path: `/hooks/${name}`, message: "has to be a function" }],
  );
  const isList = Array.isArray(observers ?? []);
  if (!isList) problems.push({ path: "/observers", message: "has to be a list" });
  for (const [index, observer] of (isList ? (observers ?? []) : []).entries()) {
    if (typeof observer?.onEvaluated === "function") continue;
    const message = "has no onEvaluated; of what metrics() built, give its observer";
    problems.push({ path: `/observers/${index}`, message });
  }
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
}
