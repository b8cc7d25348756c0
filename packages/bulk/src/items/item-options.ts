import type { DecernError, Decision, ProfilesOf } from "@decern/core";
import {
  createGeneration,
  decisionKind,
  kindOf,
  kinds,
  type OptionsOf,
  option,
  requiredOption,
} from "@decern/core/tools";
import { type Emit, emits, ItemEvaluator, jsonForm } from "./item-evaluator.js";

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
  decision: requiredOption(decisionKind),
  profiles: option(kinds.object<ProfilesOf<readonly [Decision]>>()),
  ...emitRows,
};

/** @throws DecernError `INVALID_OPTIONS` for profiles that break their schema */
export function itemEvaluator(
  { decision, profiles, emit = "compact" }: ItemOptions,
  place: "line" | "position",
  key: string | undefined,
  onFault: (error: DecernError, position: string) => void,
): ItemEvaluator {
  const catalogue = createGeneration([decision], profiles);
  const form = jsonForm(emit, place, key !== undefined);
  const bound = catalogue.bind(decision);
  return new ItemEvaluator({ decision: bound, profiles: catalogue.profiles, form, key, onFault });
}
