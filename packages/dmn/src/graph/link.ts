import { type Model, type ModelElement, ModelError } from "../model/model.js";

/** An element with the model that it belongs to. */
export interface Linked {
  /** Its place among all elements. */
  readonly slot: number;
  readonly element: ModelElement;
  readonly model: Model;
  readonly requires: readonly Linked[];
  /** Other names that values have here, in the dialect of Camunda. */
  readonly aliases: readonly Alias[];
}

/** A name for what an element requires, or for an output of it. */
export interface Alias {
  readonly name: string;
  readonly of: Linked;
  /** The entry of its result; the result itself if undefined. */
  readonly entry: string | undefined;
}

/** Something that is wrong with a document. */
export interface ModelProblem {
  readonly file: string;
  readonly line: number;
  /** The element's name. */
  readonly element: string | undefined;
  readonly message: string;
}

/** While elements are connected. */
export interface OpenLinked extends Linked {
  readonly requires: Linked[];
  readonly aliases: Alias[];
}

/** Connects elements with what they require, across documents. */
export function link(models: readonly Model[]): {
  readonly elements: OpenLinked[];
  readonly find: (reference: string) => Linked | undefined;
  readonly problems: readonly ModelProblem[];
} {
  const problems: ModelProblem[] = [];
  const linked: OpenLinked[] = models
    .flatMap((model) => model.elements.map((element) => ({ element, model })))
    .map((each, slot) => ({ slot, ...each, requires: [], aliases: [] }));
  const byReference = new Map<string, OpenLinked>();
  for (const each of linked) {
    const reference = referenceOf(each);
    if (byReference.has(reference))
      problems.push(problemOf(each, `two elements have the id ${each.element.id}`));
    byReference.set(reference, each);
  }
  for (const each of linked) {
    for (const reference of new Set([...each.element.requires, ...referencesOf(each.element)])) {
      const required = byReference.get(reference);
      if (required === undefined)
        problems.push(problemOf(each, `refers to ${reference}, which no document has`));
      else if (each.element.requires.includes(reference)) each.requires.push(required);
    }
  }
  for (const each of linked) {
    if (isCircular(each)) problems.push(problemOf(each, "requires itself, directly or through others"));
  }
  return { elements: linked, find: (reference) => byReference.get(reference), problems };
}

/** What refers to an element: its namespace and id. */
export function referenceOf({ element, model }: Linked): string {
  return `${model.namespace}#${element.id}`;
}

function referencesOf(element: ModelElement): readonly string[] {
  return element.kind === "service"
    ? [...element.outputs, ...element.inputData, ...element.inputDecisions]
    : [];
}

/** Functions may call themselves; decisions can't require their own results. */
function isCircular(start: Linked): boolean {
  if (start.element.kind !== "decision") return false;
  const seen = new Set<Linked>();
  const open = [...start.requires];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === start) return true;
    if (seen.has(next) || next.element.kind !== "decision") continue;
    seen.add(next);
    open.push(...next.requires);
  }
  return false;
}

/** A problem in a line. */
export function problemText({ file, line, element, message }: ModelProblem): string {
  return `${file}, line ${line}: ${element === undefined ? "" : `${JSON.stringify(element)}: `}${message}`;
}

export function problemOf({ element, model }: Linked, error: unknown): ModelProblem {
  const message = error instanceof Error ? error.message : String(error);
  const line = error instanceof ModelError ? error.line : element.line;
  return { file: model.file, line, element: element.name, message };
}
