import { createEvaluator, type EvaluatorOptions, type RecordEvent } from "@decern/core";
import { type DecisionLogOptions, decisionLog } from "../../src/index.js";
import { MemoryStore } from "./memory-store.js";
import { quietLogger } from "./recording-logger.js";

/** A log over a store in memory, and an evaluator that records in it. */
export function setUp(
  {
    store = new MemoryStore(),
    ...options
  }: Partial<DecisionLogOptions> & { readonly store?: MemoryStore } = {},
  evaluatorOptions: EvaluatorOptions = {},
) {
  const logger = quietLogger();
  const log = decisionLog({ store, logger, ...options });
  const counts = { written: 0, lost: 0, refused: 0 };
  const observer = {
    onEvaluated: () => {},
    onRecorded: ({ outcome, count }: RecordEvent) => {
      counts[outcome] += count;
    },
  };
  const evaluator = createEvaluator({
    log,
    logger: quietLogger(),
    observers: [observer],
    ...evaluatorOptions,
  });
  return { store, logger, log, evaluator, counts };
}
