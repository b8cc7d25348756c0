import { Grammar, type Names } from "../syntax/parse.js";
import type { Run } from "../values/run.js";
import { canonicalName } from "../values/text.js";
import { anyType } from "../values/type.js";
import { type FeelFunction, type FeelValue, isContext, type Type } from "../values/value.js";

/** What the names of a scope stand for in one evaluation. */
export class Frame {
  readonly parent: Frame | undefined;
  readonly values: readonly FeelValue[];
  readonly run: Run;

  constructor(parent: Frame | undefined, values: readonly FeelValue[], run: Run) {
    this.parent = parent;
    this.values = values;
    this.run = run;
  }
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => FeelValue;

export interface Variable {
  readonly name: string;
  /** @default any */
  readonly type?: Type | undefined;
}

/** The names that an expression may use. Each scope has a frame in an evaluation. */
export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables: readonly Variable[];
  readonly #isItem: boolean;
  readonly #builtIns: ReadonlyMap<string, FeelFunction>;
  #grammar: Grammar | undefined;

  private constructor(
    parent: Scope | undefined,
    variables: readonly Variable[],
    builtIns: ReadonlyMap<string, FeelFunction>,
    isItem = false,
  ) {
    this.#parent = parent;
    this.#variables = variables.map(({ name, type }) => ({ name: canonicalName(name), type }));
    this.#builtIns = builtIns;
    this.#isItem = isItem;
  }

  static root(variables: readonly Variable[], builtIns: ReadonlyMap<string, FeelFunction>): Scope {
    return new Scope(undefined, variables, builtIns);
  }

  with(variables: readonly Variable[]): Scope {
    return new Scope(this, variables, this.#builtIns);
  }

  /** The scope of a filter: `item`, and the entries of a context. */
  ofItem(): Scope {
    return new Scope(this, [{ name: "item" }], this.#builtIns, true);
  }

  /** Reads expressions with the names of this scope. */
  get grammar(): Grammar {
    this.#grammar ??= new Grammar(this.#names());
    return this.#grammar;
  }

  #names(): Names {
    const own = this.#variables.map(({ name, type }) => [name, shapeOf(type ?? anyType)] as const);
    const outer = this.#parent === undefined ? {} : this.#parent.#names();
    return { ...outer, ...Object.fromEntries(own) };
  }

  /** @returns undefined for a name that nothing has; in a filter, items may have it */
  resolve(name: string, hops = 0): Evaluate | undefined {
    const index = this.#variables.findLastIndex((variable) => variable.name === name);
    const own = index < 0 ? undefined : slot(hops, index);
    if (!this.#isItem) return own ?? this.#resolveOutside(name, hops);
    const item = slot(hops, 0);
    const otherwise = own ?? this.#resolveOutside(name, hops);
    return (frame) => {
      const value = item(frame);
      const entry = isContext(value) ? entryOf(value, name) : undefined;
      return entry ?? otherwise?.(frame) ?? null;
    };
  }

  #resolveOutside(name: string, hops: number): Evaluate | undefined {
    if (this.#parent !== undefined) return this.#parent.resolve(name, hops + 1);
    const builtIn = this.#builtIns.get(name);
    return builtIn === undefined ? undefined : () => builtIn;
  }
}

function slot(hops: number, index: number): Evaluate {
  if (hops === 0) return (frame) => frame.values[index] ?? null;
  if (hops === 1) return (frame) => frame.parent?.values[index] ?? null;
  return (frame) => {
    let outer: Frame | undefined = frame;
    for (let hop = 0; hop < hops; hop += 1) outer = outer?.parent;
    return outer?.values[index] ?? null;
  };
}

/** An entry by a name as expressions write it. */
export function entryOf(context: ReadonlyMap<string, FeelValue>, name: string): FeelValue | undefined {
  const value = context.get(name);
  if (value !== undefined || !/[^\p{L}\p{N}_]/u.test(name)) return value;
  for (const [key, entry] of context) {
    if (canonicalName(key) === name) return entry;
  }
  return undefined;
}

/** The names that values of a type have, as the grammar takes them. */
function shapeOf(type: Type): Names | 1 {
  switch (type.kind) {
    case "restricted":
      return shapeOf(type.base);
    case "list":
      return shapeOf(type.of);
    case "function":
      return shapeOf(type.result);
    case "context":
      return Object.fromEntries([...type.entries].map(([name, of]) => [canonicalName(name), shapeOf(of)]));
    default:
      return 1;
  }
}
