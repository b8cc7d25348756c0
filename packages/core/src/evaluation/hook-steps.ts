import { copyOkResult } from "../copies/copy-result.js";
import { LazyCopy } from "../copies/lazy-copy.js";
import { createContext } from "../hooks/hook-context.js";
import type { Hooks } from "../hooks/hooks.js";
import type { OkResult } from "../program/result.js";
import type { Evaluation } from "./evaluation.js";

/** Calls the hooks around an evaluation, each with copies of its own. */
export class HookSteps {
  readonly #hooks: Hooks;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  get hasBefore(): boolean {
    return this.#hooks.beforeEvaluate !== undefined;
  }

  before(evaluation: Evaluation, profile: LazyCopy): unknown {
    const context = createContext(evaluation, new LazyCopy(evaluation.input), profile);
    const { traces } = evaluation;
    if (traces === undefined) return this.#hooks.beforeEvaluate?.(context);
    return traces.hook("beforeEvaluate", () => this.#hooks.beforeEvaluate?.(context));
  }

  after(evaluation: Evaluation, result: OkResult): unknown {
    if (this.#hooks.afterEvaluate === undefined) return undefined;
    const context = createContext(evaluation);
    const copy = copyOkResult(result);
    const { traces } = evaluation;
    if (traces === undefined) return this.#hooks.afterEvaluate(context, copy);
    return traces.hook("afterEvaluate", () => this.#hooks.afterEvaluate?.(context, copy));
  }
}
