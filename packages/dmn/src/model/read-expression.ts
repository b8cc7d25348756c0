import { canonicalName } from "../values/text.js";
import {
  type Aggregation,
  aggregations,
  type Boxed,
  type FunctionBox,
  type HitPolicy,
  hitPolicies,
  ModelError,
  type TableBox,
  type TypedName,
} from "./model.js";
import { attributeOf, childOf, childrenOf, textIn, type XmlElement } from "./xml.js";

const readers: Readonly<Record<string, (element: XmlElement) => Boxed>> = {
  literalExpression: readLiteral,
  decisionTable: readTable,
  context: readContext,
  relation: readRelation,
  list: (element) => ({ kind: "list", ...partsOf(element), items: boxesIn(element) }),
  invocation: readInvocation,
  functionDefinition: readFunction,
  conditional: (element) => ({
    kind: "conditional",
    ...partsOf(element),
    condition: boxInside(element, "if"),
    then: boxInside(element, "then"),
    otherwise: boxInside(element, "else"),
  }),
  for: (element) => readIterator(element, "for", "return"),
  some: (element) => readIterator(element, "some", "satisfies"),
  every: (element) => readIterator(element, "every", "satisfies"),
  filter: (element) => ({
    kind: "filter",
    ...partsOf(element),
    in: boxInside(element, "in"),
    match: boxInside(element, "match"),
  }),
};

/** The expressions directly inside an element, in order. */
function boxesIn(element: XmlElement): readonly Boxed[] {
  return element.children.flatMap((child) => {
    const reader = Object.hasOwn(readers, child.name) ? readers[child.name] : undefined;
    return reader === undefined ? [] : [reader(child)];
  });
}

/** The expression of an element. @returns undefined if it has none */
export function boxIn(element: XmlElement): Boxed | undefined {
  return boxesIn(element)[0];
}

function requiredBox(element: XmlElement): Boxed {
  return boxIn(element) ?? { kind: "literal", ...partsOf(element), text: "null" };
}

function boxInside(element: XmlElement, name: string): Boxed {
  const child = childOf(element, name);
  if (child === undefined) throw new ModelError(`<${element.name}> has no <${name}>`, element.line);
  return requiredBox(child);
}

function partsOf(element: XmlElement) {
  return { typeRef: attributeOf(element, "typeRef"), line: element.line };
}

export function typedName(element: XmlElement): TypedName {
  const name = attributeOf(element, "name");
  if (name === undefined) throw new ModelError(`<${element.name}> has no name`, element.line);
  return { name, typeRef: typeRefOf(element) };
}

/** An attribute, or an element in DMN 1.1. */
export function typeRefOf(element: XmlElement): string | undefined {
  return attributeOf(element, "typeRef") ?? textIn(element, "typeRef");
}

function readLiteral(element: XmlElement): Boxed {
  return {
    kind: "literal",
    ...partsOf(element),
    text: feelIn(element),
  };
}

/** The text of an expression. @throws ModelError for one of a language other than FEEL */
function feelIn(element: XmlElement): string {
  const language = attributeOf(element, "expressionLanguage") ?? "";
  if (language !== "" && !/feel/i.test(language))
    throw new ModelError(`expressions of ${language} are not supported`, element.line);
  return childOf(element, "text")?.text ?? "";
}

/** Like {@link feelIn}, for a child that may be missing. */
function feelInChild(element: XmlElement, name: string): string | undefined {
  const child = childOf(element, name);
  return child === undefined ? undefined : feelIn(child).trim();
}

function readContext(element: XmlElement): Boxed {
  const entries = childrenOf(element, "contextEntry").map((entry) => {
    const variable = childOf(entry, "variable");
    return { variable: variable === undefined ? undefined : typedName(variable), value: requiredBox(entry) };
  });
  const names = entries.flatMap(({ variable }) => variable?.name ?? []);
  refuseTwice(names, "entries of a context", element);
  if (entries.slice(0, -1).some(({ variable }) => variable === undefined))
    throw new ModelError("an entry of a context has no name, and is not the last", element.line);
  return { kind: "context", ...partsOf(element), entries };
}

function readRelation(element: XmlElement): Boxed {
  const columns = childrenOf(element, "column").map(typedName);
  const rows = childrenOf(element, "row").map((row) => {
    const cells = boxesIn(row);
    if (cells.length !== columns.length)
      throw new ModelError("a row has not as many cells as its relation has columns", row.line);
    return cells;
  });
  const names = columns.map(({ name }) => name);
  refuseTwice(names, "columns of a relation", element);
  return { kind: "relation", ...partsOf(element), columns, rows };
}

/** @throws ModelError if two are called the same: one of them would be lost */
export function refuseTwice(names: readonly string[], what: string, { line }: XmlElement): void {
  const seen = new Set<string>();
  for (const name of names.map(canonicalName)) {
    if (seen.has(name)) throw new ModelError(`two ${what} are called ${JSON.stringify(name)}`, line);
    seen.add(name);
  }
}

function readInvocation(element: XmlElement): Boxed {
  const bindings = childrenOf(element, "binding").map((binding) => {
    const parameter = childOf(binding, "parameter");
    if (parameter === undefined) throw new ModelError("a binding has no parameter", binding.line);
    return { parameter: typedName(parameter), value: requiredBox(binding) };
  });
  return { kind: "invocation", ...partsOf(element), callee: requiredBox(element), bindings };
}

/** A function definition, and the logic of a business knowledge model. */
export function readFunction(element: XmlElement): FunctionBox {
  const parameters = childrenOf(element, "formalParameter").map(typedName);
  const names = parameters.map(({ name }) => name);
  refuseTwice(names, "parameters of a function", element);
  return {
    kind: "function",
    ...partsOf(element),
    language: attributeOf(element, "kind") ?? "FEEL",
    parameters,
    body: boxIn(element),
  };
}

function readIterator(element: XmlElement, kind: "for" | "some" | "every", body: string): Boxed {
  const variable = attributeOf(element, "iteratorVariable");
  if (variable === undefined) throw new ModelError(`<${element.name}> has no iteratorVariable`, element.line);
  return {
    kind,
    ...partsOf(element),
    variable,
    in: boxInside(element, "in"),
    body: boxInside(element, body),
  };
}

function readTable(element: XmlElement): TableBox {
  const inputs = childrenOf(element, "input").map((input) => {
    const expression = childOf(input, "inputExpression");
    if (expression === undefined) throw new ModelError("an input has no expression", input.line);
    return {
      expression: feelIn(expression).trim(),
      typeRef: typeRefOf(expression),
      allowed: feelInChild(input, "inputValues"),
    };
  });
  const outputs = childrenOf(element, "output").map((output) => {
    return {
      name: attributeOf(output, "name") ?? "",
      typeRef: typeRefOf(output),
      allowed: feelInChild(output, "outputValues"),
      otherwise: feelInChild(output, "defaultOutputEntry"),
    };
  });
  if (outputs.length === 0) throw new ModelError("a table has no outputs", element.line);
  const names = outputs.map(({ name }) => name);
  refuseTwice(names, "outputs of a table", element);
  const rules = childrenOf(element, "rule").map((rule) => readRule(rule, inputs.length, outputs.length));
  return {
    kind: "table",
    ...partsOf(element),
    hitPolicy: hitPolicyOf(element),
    aggregation: aggregationOf(element),
    inputs,
    outputs,
    rules,
  };
}

function readRule(rule: XmlElement, inputs: number, outputs: number) {
  const cells = (name: string) => childrenOf(rule, name).map((cell) => feelIn(cell).trim());
  const found = { inputs: cells("inputEntry"), outputs: cells("outputEntry") };
  if (found.inputs.length !== inputs)
    throw new ModelError("a rule has not as many inputs as its table", rule.line);
  if (found.outputs.length !== outputs)
    throw new ModelError("a rule has not as many outputs as its table", rule.line);
  return { ...found, description: textIn(rule, "description") };
}

function hitPolicyOf(element: XmlElement): HitPolicy {
  const text = attributeOf(element, "hitPolicy") ?? "UNIQUE";
  const found = hitPolicies.find((policy) => policy === text);
  if (found === undefined) throw new ModelError(`unknown hit policy ${JSON.stringify(text)}`, element.line);
  return found;
}

function aggregationOf(element: XmlElement): Aggregation | undefined {
  const text = attributeOf(element, "aggregation");
  const found = aggregations.find((aggregation) => aggregation === text);
  if (text !== undefined && found === undefined)
    throw new ModelError(`unknown aggregation ${JSON.stringify(text)}`, element.line);
  return found;
}
