import {
  DecernError,
  type Decision,
  type DecisionSource,
  type EvaluatorOptions,
  type ProfilesOf,
} from "@decern/core";
import { createService } from "@decern/core/host";
import { decisionKind, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import { createGeneration } from "@decern/core/tools";
import { type Emit, emits, ItemEvaluator, jsonForm } from "./item-evaluator.js";

const emitRows = {
  /** How much of a result is written: `compact` or `envelope`. @default "compact" */
  emit: option(
    kinds.that<Emit>((value) => emits.some((emit) => emit === value), `must be one of ${emits.join(", ")}`),
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

/** Decisions that change while a worker runs. */
export interface LiveItems {
  /** The evaluator of the decision in use, to be asked for once for a batch; `undefined` while none is loaded. */
  current(): ItemEvaluator | undefined;
  /** Loads no more. */
  stop(): Promise<void>;
}

/**
 * Evaluates with what a source has loaded.
 *
 * @throws DecernError `INVALID_OPTIONS` for a source of several decisions, and for a first set that is wrong
 */
export function liveItems(
  source: DecisionSource,
  { profiles, emit = "compact" }: Pick<ItemOptions, "profiles" | "emit">,
  onFault: (error: DecernError, position: string) => void,
  host: Pick<EvaluatorOptions, "logger" | "observers">,
): LiveItems {
  const [id = "", ...others] = source.contracts.flatMap(({ ids }) => ids);
  if (others.length > 0 || source.fixed.length > 0) {
    const problem = {
      path: "/decision",
      message: "must have one contract of one decision, and nothing fixed",
    };
    throw new DecernError("INVALID_OPTIONS", { detail: "runWorker", problems: [problem] });
  }
  const { catalogue } = createService("runWorker", { decisions: source, profiles, ...host });
  const form = jsonForm(emit, "position", false);
  let made: { readonly generation: object; readonly evaluator: ItemEvaluator } | undefined;
  return {
    current() {
      const { current } = catalogue;
      const served = current.get(id);
      if (served === undefined || current.notLoaded !== undefined) return undefined;
      if (made?.generation !== current) {
        const { profiles: lookup } = current;
        const { decision } = served.choice;
        const evaluator = new ItemEvaluator({ decision, profiles: lookup, form, key: undefined, onFault });
        made = { generation: current, evaluator };
      }
      return made.evaluator;
    },
    stop: () => catalogue.loads.stop(),
  };
}
