import type { Hooks } from "../hooks/hooks.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import type { DecisionLog } from "../records/decision-log.js";
import type { Clock } from "./clock.js";
import type { Logger } from "./logger.js";

/** What everything that runs evaluations takes. */
export interface EvaluatorOptions {
  readonly hooks?: Hooks | undefined;
  readonly observers?: readonly EvaluationObserver[] | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /** Told of every fault. With `false`, nobody is. @default writes to standard error */
  readonly logger?: Logger | false | undefined;
  /** How long a hook or callback may take, in milliseconds. @default 5000 */
  readonly hookTimeoutMs?: number | undefined;
  /** Keeps a record of every evaluation: what `decisionLog` of `@decern/decision-log` returned. @default none */
  readonly log?: DecisionLog | undefined;
}
