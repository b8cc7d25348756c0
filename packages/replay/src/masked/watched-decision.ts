import type { Decision } from "@decern/core";
import { withInputView } from "@decern/core/tools";
import type { MaskNode } from "./masked-places.js";
import { isPassedThrough } from "./passed-through.js";

/** What is known after an evaluation. */
export interface Watch {
  readonly mask: MaskNode;
  /** The input as it was given to the schema, without what is masked. */
  readonly given: unknown;
  /** The first masked place that somebody looked at. */
  touched: string | undefined;
  /** Whether rules may see a masked value elsewhere: the schema does not pass its input on as it is. */
  isTransformed: boolean;
}

/** A decision whose rules are watched: whether they look at what is masked. */
export class WatchedDecision {
  readonly decision: Decision;
  /** The same without explanations, so that only what decides can look. */
  readonly unexplained: Decision;
  #watch: Watch | undefined;

  constructor(decision: Decision) {
    this.decision = withInputView(decision, (input) => this.#view(input));
    this.unexplained = withInputView(decision, (input) => this.#view(input), false);
  }

  /** Watches one evaluation, which must not begin others of this decision. */
  during<Ended>(watch: Watch, evaluate: () => Ended): Ended {
    this.#watch = watch;
    try {
      return evaluate();
    } finally {
      this.#watch = undefined;
    }
  }

  #view<Input>(input: Input): Input {
    const watch = this.#watch;
    if (watch === undefined) return input;
    if (!isPassedThrough(watch.given, input, watch.mask, this.decision)) watch.isTransformed = true;
    return watched(input, watch.mask, watch);
  }
}

/** Watches one level of a value, which is the evaluation's own, and all levels below it that have masked places. */
function watched<Value>(value: Value, node: MaskNode, watch: Watch): Value {
  if (typeof value !== "object" || value === null) return value;
  const masked = new Map<PropertyKey, string>();
  for (const [name, child] of node.children) {
    if (child.isMasked) {
      masked.set(name, child.pointer);
      continue;
    }
    if (!Object.hasOwn(value, name)) continue;
    const isSet = Reflect.set(value, name, watched(Reflect.get(value, name), child, watch));
    if (!isSet) watch.isTransformed = true;
  }
  if (masked.size === 0) return value;
  const look = (name: PropertyKey): void => {
    watch.touched ??= masked.get(name);
  };
  return new Proxy(value, {
    get(target, name) {
      look(name);
      return Reflect.get(target, name);
    },
    has(target, name) {
      look(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      look(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      // Who lists the members learns whether the masked one is there.
      const [first] = masked.values();
      watch.touched ??= first;
      return Reflect.ownKeys(target);
    },
  });
}
