import type { Decision, Logger, ProfilesOf } from "@decern/core";
import { decisionKind, evaluatorRows } from "@decern/core/host";
import { createGeneration, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import { type Emit, emits, ItemEvaluator, type ItemEvaluatorOptions } from "./item-evaluator.js";

/** `compact` or `envelope`. */
const emitKind: OptionKind = (value, path) =>
  emits.some((emit) => emit === value) ? [] : [{ path, message: `must be one of ${emits.join(", ")}` }];

/** A `Date` that is not invalid. */
export const instantKind: OptionKind = (value, path) =>
  value instanceof Date && Number.isFinite(value.getTime())
    ? []
    : [{ path, message: "must be a valid Date" }];

/** Options of everything that evaluates inputs one by one: a filter, and a worker. */
export interface ItemOptions<D extends Decision = Decision> {
  readonly decision: D;
  /** By decision id: for this decision and those that it uses. @default their own */
  readonly profiles?: ProfilesOf<readonly [D]> | undefined;
  /** How much of a result is written. @default "compact" */
  readonly emit?: Emit | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly logger?: Logger | undefined;
}

const { object, withMethods } = optionKinds;

export const itemOptionKinds: OptionTable<ItemOptions> = {
  decision: decisionKind,
  profiles: object,
  emit: emitKind,
  signal: withMethods("addEventListener", "throwIfAborted"),
  logger: evaluatorRows.logger.kind,
};

/** @throws DecernError `INVALID_OPTIONS` for profiles that break their schema */
export function itemEvaluator(
  { decision, profiles, emit = "compact" }: ItemOptions,
  told: Pick<ItemEvaluatorOptions, "place" | "onFault" | "key">,
): ItemEvaluator {
  const catalogue = createGeneration([decision], profiles);
  return new ItemEvaluator({
    decision: catalogue.bind(decision),
    profiles: catalogue.profiles,
    emit,
    ...told,
  });
}
