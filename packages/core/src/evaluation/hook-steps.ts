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
    return this.#hooks.beforeEvaluate?.(context);
  }

  after(evaluation: Evaluation, result: OkResult): unknown {
    if (this.#hooks.afterEvaluate === undefined) return undefined;
    return this.#hooks.afterEvaluate(createContext(evaluation), copyOkResult(result));
  }
}
