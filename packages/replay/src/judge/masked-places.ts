import { type Decision, toJsonSchema } from "@decern/core";
import { isJsonObject, pointerTokens } from "@decern/core/schema";
import { canonicalForm, isSameJson, withInputView } from "@decern/core/tools";

/** What is masked at and below one place of an input. */
export interface MaskNode {
  /** The pointer of the place, with `*` for indexes, so that there are few of them. */
  readonly pointer: string;
  readonly isMasked: boolean;
  readonly children: ReadonlyMap<string, MaskNode>;
}

/** What was removed from a payload, by what it was a part of. */
export interface MaskedPlaces {
  /** Absent where nothing of the input is masked. */
  readonly input: MaskNode | undefined;
  /** In the input, as tokens. */
  readonly inputPlaces: readonly (readonly string[])[];
  /** In the envelope, as tokens. Empty tokens stand for all of it. */
  readonly resultPlaces: readonly (readonly string[])[];
  readonly errorPlaces: readonly (readonly string[])[];
  readonly hasMaskedData: boolean;
  readonly hasMaskedExplanation: boolean;
  readonly hasMaskedProfile: boolean;
  /** Whether it is not known what was used. */
  readonly hasMaskedUse: boolean;
}

/** Most lists of pointers that are remembered. */
const maxKnown = 1000;

/** Reads the `masked` of records. Most records of a decision have the same. */
export class MaskReader {
  readonly #known = new Map<string, MaskedPlaces>();

  read(masked: readonly string[]): MaskedPlaces {
    const key = masked.join("\n");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const places = readPlaces(masked);
    if (this.#known.size === maxKnown) this.#known.clear();
    this.#known.set(key, places);
    return places;
  }
}

function readPlaces(masked: readonly string[]): MaskedPlaces {
  const all = masked.map(pointerTokens);
  const within = (name: string): readonly (readonly string[])[] =>
    all.filter(([first]) => first === name).map((tokens) => tokens.slice(1));
  const inputPlaces = within("input");
  const resultPlaces = within("result");
  return {
    input: inputPlaces.length === 0 ? undefined : treeOf(inputPlaces),
    inputPlaces,
    resultPlaces,
    errorPlaces: within("error"),
    hasMaskedData: resultPlaces.some(([first]) => first === undefined || first === "data"),
    hasMaskedExplanation: resultPlaces.some(([first]) => first !== "data"),
    hasMaskedProfile: within("profile").length > 0,
    hasMaskedUse: within("used").some(isWholeUse),
  };
}

/** Whether an entry is gone, and not only a part of its result. */
function isWholeUse(tokens: readonly string[]): boolean {
  return !tokens.includes("result");
}

function treeOf(places: readonly (readonly string[])[], pointer = "/input"): MaskNode {
  const below = new Map<string, (readonly string[])[]>();
  for (const [name, ...rest] of places) {
    if (name === undefined) continue;
    const list = below.get(name);
    if (list === undefined) below.set(name, [rest]);
    else list.push(rest);
  }
  const children = new Map(
    [...below].map(([name, rest]) => [name, treeOf(rest, `${pointer}/${/^\d+$/.test(name) ? "*" : name}`)]),
  );
  return { pointer, isMasked: places.some((tokens) => tokens.length === 0), children };
}

/**
 * Whether a schema passed an input on as it is, apart from masked places: then no masked value has got anywhere else. It may
 * leave out members, and add those for which it has a default.
 */
function isPassedThrough(given: unknown, passed: unknown, mask: MaskNode, decision: Decision): boolean {
  return isPassed(given, passed, mask, () => defaultsOf(decision));
}

function isPassed(
  given: unknown,
  passed: unknown,
  mask: MaskNode | undefined,
  defaults: () => ReadonlySet<string>,
): boolean {
  if (mask?.isMasked === true || given === passed) return true;
  if (typeof passed !== "object" || passed === null || typeof given !== "object" || given === null)
    return isSameJson(passed, given);
  if (Array.isArray(passed)) {
    return (
      Array.isArray(given) &&
      given.length === passed.length &&
      passed.every((item, index) => isPassed(given[index], item, mask?.children.get(`${index}`), defaults))
    );
  }
  const prototype: unknown = Object.getPrototypeOf(passed);
  if (Array.isArray(given) || (prototype !== Object.prototype && prototype !== null)) return false;
  return Object.entries(passed).every(([name, member]) => {
    const inner = mask?.children.get(name);
    if (Object.hasOwn(given, name)) return isPassed(Reflect.get(given, name), member, inner, defaults);
    return inner?.isMasked === true || member === undefined || defaults().has(keyOf(name, member));
  });
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** Every default of an input schema, with the name of its member. */
function defaultsOf({ inputSchema }: Decision): ReadonlySet<string> {
  const found = known.get(inputSchema);
  if (found !== undefined) return found;
  const defaults = new Set<string>();
  collect(schemaOf(inputSchema), defaults);
  known.set(inputSchema, defaults);
  return defaults;
}

function schemaOf(schema: Decision["inputSchema"]): unknown {
  try {
    return toJsonSchema(schema);
  } catch {
    return undefined;
  }
}

function collect(node: unknown, defaults: Set<string>): void {
  if (typeof node !== "object" || node === null) return;
  for (const [name, member] of Object.entries(node)) {
    if (isJsonObject(member) && "default" in member) defaults.add(keyOf(name, member["default"]));
    collect(member, defaults);
  }
}

function keyOf(name: string, value: unknown): string {
  return `${name}\n${canonicalForm(value) ?? "?"}`;
}

/** What is known after an evaluation. */
export interface Watch {
  readonly mask: MaskNode;
  /** The input as it was given to the schema, without what is masked. */
  readonly given: unknown;
  /** The first masked place that was read. */
  touched: string | undefined;
  /** Whether rules may see a masked value elsewhere: the schema does not pass its input on as it is. */
  isTransformed: boolean;
}

/** A decision whose rules are watched: do they read masked values? */
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
      // Listing the members tells whether the masked one is there.
      const [first] = masked.values();
      watch.touched ??= first;
      return Reflect.ownKeys(target);
    },
  });
}
