import type { Awaitable, Decision, InputFor } from "@decern/core";
import type { Request } from "express";

/**
 * Lets TypeScript check what an `inputMapper` returns against the decision's input. It stands beside the options, which say
 * `unknown`, so that options of any decision can be named without its input's type.
 *
 * @typeParam Mapped - inferred from what the mapper returns; `unknown` is left to validation
 */
export interface CheckedInput<Input, Mapped, Req extends Request> {
  readonly decision: Decision<Input>;
  inputMapper?(request: Req): Awaitable<InputFor<NoInfer<Input>, Mapped>>;
}
