import type { Boxed, Model, ModelElement } from "../model/model.js";
import { canonicalName } from "../values/text.js";
import type { Alias, Linked, OpenLinked } from "./link.js";

/** How a model says what its decisions take. */
export type Dialect = "dmn" | "camunda";

/** The names in the expressions of an element. */
export interface NamesInUse {
  /** That nothing has. */
  readonly free: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

/**
 * In Camunda's models, the input data of a diagram are labels: names that nothing defines are inputs, and results of required
 * decisions are called by the names of their outputs or by ids. Input data stay inputs where an expression has their name.
 */
export function addInputs(elements: OpenLinked[], namesIn: (linked: Linked) => NamesInUse): void {
  const inputs = new Map<string, OpenLinked>();
  for (const linked of [...elements]) {
    if (linked.element.kind !== "decision") continue;
    const { free, known } = namesIn(linked);
    const used = linked.requires.filter(
      ({ element }) => element.kind !== "input" || known.has(canonicalName(element.variable.name)),
    );
    linked.requires.splice(0, linked.requires.length, ...used);
    for (const name of free) {
      const alias = aliasOf(name, linked);
      if (alias !== undefined) {
        linked.aliases.push(alias);
        continue;
      }
      const key = `${linked.model.namespace}#${name}`;
      const input = inputs.get(key) ?? inputNamed(name, linked.model, elements);
      inputs.set(key, input);
      linked.requires.push(input);
    }
  }
  elements.push(...inputs.values());
}

function aliasOf(name: string, { requires }: Linked): Alias | undefined {
  for (const of of requires) {
    const { element } = of;
    if (element.kind !== "decision") continue;
    if (element.id === name) return { name, of, entry: undefined };
    const outputs = element.expression?.kind === "table" ? element.expression.outputs : [];
    if (outputs.some((output) => output.name === name))
      return { name, of, entry: outputs.length === 1 ? undefined : name };
  }
  return undefined;
}

function inputNamed(name: string, model: Model, elements: readonly Linked[]): OpenLinked {
  const types = elements.flatMap(({ element, model: owner }) =>
    owner === model && element.kind === "decision" ? typesIn(element.expression, name) : [],
  );
  const element: ModelElement = {
    kind: "input",
    id: name,
    name,
    description: undefined,
    variable: { name, typeRef: types[0] },
    requires: [],
    line: 1,
  };
  return { element, model, requires: [], aliases: [] };
}

/** The types of the columns that test a name. */
function typesIn(box: Boxed | undefined, name: string): readonly string[] {
  if (box?.kind !== "table") return [];
  return box.inputs.flatMap(({ expression, typeRef }) =>
    expression.trim() === name && typeRef !== undefined ? [typeRef] : [],
  );
}
