import { builtIns } from "../builtins/all.js";
import { Frame, Scope, type Variable } from "../feel/scope.js";
import type { Model } from "../model/model.js";
import type { Run } from "../values/run.js";
import { canonicalName } from "../values/text.js";
import { type FeelValue, isContext, type Type } from "../values/value.js";
import type { Linked } from "./link.js";

/** What the elements of models have come to in one evaluation, or in one call of a service. */
export class State {
  readonly #values: (FeelValue | undefined)[];

  /** @param size - the number of elements of the program */
  constructor(size: number) {
    this.#values = new Array<FeelValue | undefined>(size);
  }

  /** @returns undefined for an element that has not been evaluated */
  get({ slot }: Linked): FeelValue | undefined {
    return this.#values[slot];
  }

  /** Also for input data, and for decisions whose results are given. */
  set({ slot }: Linked, value: FeelValue): void {
    this.#values[slot] = value;
  }
}

/** Where the types and values of elements come from. */
interface Values {
  typeOf(element: Linked): Type;
  evaluate(element: Linked, state: State, run: Run): FeelValue;
}

export type FrameOf = (state: State, run: Run) => Frame;

/** The names that an element sees: what it requires, and by the names of imports what it requires of them. */
export function scopeOf(
  { requires, aliases, model }: Linked,
  program: Values,
): { readonly scope: Scope; readonly frameOf: FrameOf } {
  const own = requires.filter((required) => required.model === model || importName(model, required) === "");
  const imported = new Map<string, Linked[]>();
  for (const required of requires) {
    const name = importName(model, required);
    if (required.model === model || name === "") continue;
    imported.set(name, [...(imported.get(name) ?? []), required]);
  }
  const variables: Variable[] = own.map((required) => ({
    name: required.element.variable.name,
    type: program.typeOf(required),
  }));
  for (const [name, list] of imported) {
    const entries = new Map(list.map((each) => [each.element.variable.name, program.typeOf(each)]));
    variables.push({ name, type: { kind: "context", entries } });
  }
  variables.push(...aliases.map(({ name }) => ({ name })));
  const scope = Scope.root(variables, builtIns);
  const importedLists = [...imported.values()];
  const frameOf: FrameOf = (state, run) => {
    const values: FeelValue[] = [];
    for (const required of own) values.push(program.evaluate(required, state, run));
    for (const list of importedLists) {
      values.push(
        new Map(list.map((each) => [each.element.variable.name, program.evaluate(each, state, run)])),
      );
    }
    for (const { of, entry } of aliases) {
      const value = program.evaluate(of, state, run);
      const isResult = entry === undefined || !isContext(value);
      values.push(isResult ? value : (value.get(entry) ?? null));
    }
    return new Frame(undefined, values, run);
  };
  return { scope, frameOf };
}

function importName(model: Model, required: Linked): string {
  const found = model.imports.find(({ namespace }) => namespace === required.model.namespace);
  return canonicalName(found?.name ?? "");
}
