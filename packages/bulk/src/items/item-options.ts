import type { Decision, ProfilesOf } from "@decern/core";
import { decisionOptionKinds } from "@decern/core/host";
import { createCatalogue, kindOf, kinds, type OptionsOf, option, requiredOption } from "@decern/core/tools";
import { type Emit, emits, ItemEvaluator, type ItemEvaluatorOptions } from "./item-evaluator.js";

const emitRows = {
  /** How much of a result is written: `compact` or `envelope`. @default "compact" */
  emit: option(
    kindOf<Emit>((value) => emits.some((emit) => emit === value), `must be one of ${emits.join(", ")}`),
  ),
};

/** Options of everything that evaluates inputs one by one: a filter, and a worker. */
export interface ItemOptions<D extends Decision = Decision> extends OptionsOf<typeof emitRows> {
  readonly decision: D;
  /** By decision id: for this decision and those that it uses. @default their own */
  readonly profiles?: ProfilesOf<readonly [D]> | undefined;
}

export const signalKind = kinds.withMethods<AbortSignal>("addEventListener", "throwIfAborted");

export const itemRows = {
  decision: requiredOption<Decision>(decisionOptionKinds.decision),
  profiles: option(kinds.object<ProfilesOf<readonly [Decision]>>()),
  ...emitRows,
};

/** @throws DecernError `INVALID_OPTIONS` for profiles that break their schema */
export function itemEvaluator(
  { decision, profiles, emit = "compact" }: ItemOptions,
  told: Pick<ItemEvaluatorOptions, "place" | "onFault" | "key">,
): ItemEvaluator {
  const catalogue = createCatalogue([decision], profiles);
  return new ItemEvaluator({
    decision: catalogue.bind(decision),
    profiles: catalogue.profiles,
    emit,
    ...told,
  });
}
