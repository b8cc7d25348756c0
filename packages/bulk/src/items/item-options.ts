import type { DecernError, Decision, Logger, ProfilesOf } from "@decern/core";
import { decisionOptionKinds, evaluatorOptionKinds } from "@decern/core/host";
import { createCatalogue, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import { type Emit, emits, ItemEvaluator, jsonForm } from "./item-evaluator.js";

const emitKind: OptionKind = (value, path) =>
  emits.some((emit) => emit === value) ? [] : [{ path, message: `must be one of ${emits.join(", ")}` }];

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
  decision: decisionOptionKinds.decision,
  profiles: object,
  emit: emitKind,
  signal: withMethods("addEventListener", "throwIfAborted"),
  logger: evaluatorOptionKinds.logger,
};

/** @throws DecernError `INVALID_OPTIONS` for profiles that break their schema */
export function itemEvaluator(
  { decision, profiles, emit = "compact" }: ItemOptions,
  place: "line" | "position",
  key: string | undefined,
  onFault: (error: DecernError, position: string) => void,
): ItemEvaluator {
  const catalogue = createCatalogue([decision], profiles);
  const form = jsonForm(emit, place, key !== undefined);
  const bound = catalogue.bind(decision);
  return new ItemEvaluator({ decision: bound, profiles: catalogue.profiles, form, key, onFault });
}
