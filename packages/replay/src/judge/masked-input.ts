import { type Decision, type JsonSchema, toJsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { canonicalForm, isThenable } from "@decern/core/tools";
import { copyJson, putAt, valueAt } from "./json.js";
import { placeholdersFor, SchemaNodes } from "./placeholders.js";

/** Most placeholders of one place. */
const maxTries = 12;

/** Most decisions and masks that are remembered. */
const maxKnown = 1000;

/** What stands at masked places; `undefined` leaves them as they were recorded. */
type Filling = readonly unknown[] | undefined;

/** Fills the masked places of inputs, so that they validate. */
export class MaskedInputs {
  readonly #last = new Map<string, Filling>();
  readonly #schemas = new WeakMap<Decision, SchemaNodes>();

  /** @returns an input of its own; `undefined` where nothing that was tried is valid */
  fill(decision: Decision, input: unknown, places: readonly (readonly string[])[]): unknown {
    const key = `${decision.id}@${decision.version}\n${JSON.stringify(places)}`;
    const last = filled(input, places, this.#last.get(key));
    if (isValid(decision, last)) return last;
    for (const filling of this.#fillings(decision, places)) {
      const copy = filled(input, places, filling);
      if (!isValid(decision, copy)) continue;
      if (this.#last.size === maxKnown) this.#last.clear();
      this.#last.set(key, filling);
      return copy;
    }
    return undefined;
  }

  *#fillings(decision: Decision, places: readonly (readonly string[])[]): Generator<Filling> {
    yield undefined;
    const schemas = this.#schemasOf(decision);
    const choices = places.map((tokens) => [
      ...(schemas === undefined ? [] : placeholdersFor(schemas.at(tokens), schemas)),
      ...examplesOf(decision, tokens),
    ]);
    for (let round = 0; round < maxTries; round += 1)
      yield choices.map((list) => list[round % Math.max(1, list.length)]);
  }

  #schemasOf(decision: Decision): SchemaNodes | undefined {
    const known = this.#schemas.get(decision);
    if (known !== undefined) return known;
    let schema: JsonSchema;
    try {
      schema = toJsonSchema(decision.inputSchema);
    } catch {
      return undefined;
    }
    const schemas = new SchemaNodes(schema);
    this.#schemas.set(decision, schemas);
    return schemas;
  }
}

function filled(input: unknown, places: readonly (readonly string[])[], filling: Filling): unknown {
  const copy = copyJson(input);
  if (filling === undefined) return copy;
  for (const [index, tokens] of places.entries()) {
    const value = filling[index];
    if (value !== undefined) putAt(copy, tokens, copyJson(value));
  }
  return copy;
}

function isValid({ inputSchema }: Decision, input: unknown): boolean {
  try {
    const result = inputSchema["~standard"].validate(copyJson(input));
    return !isThenable(result) && "issues" in result ? result.issues === undefined : !isThenable(result);
  } catch {
    return false;
  }
}

/** What the examples of a decision have at a place. */
function examplesOf({ meta }: Decision, tokens: readonly string[]): readonly unknown[] {
  const examples: unknown = meta?.["examples"];
  if (!Array.isArray(examples)) return [];
  return examples
    .slice(0, 3)
    .map((example: unknown) => (isJsonObject(example) ? valueAt(example["input"], tokens) : undefined))
    .filter((value) => value !== undefined);
}

const texts = new WeakMap<object, { readonly text: string | undefined }>();

/** Whether two decisions take the same inputs, as far as their JSON Schemas tell. */
export function haveSameInputSchema(one: Decision, other: Decision): boolean {
  if (one.inputSchema === other.inputSchema) return true;
  const text = textOf(one);
  return text !== undefined && text === textOf(other);
}

function textOf({ inputSchema }: Decision): string | undefined {
  let known = texts.get(inputSchema);
  if (known === undefined) {
    known = { text: write(inputSchema) };
    texts.set(inputSchema, known);
  }
  return known.text;
}

function write(schema: Decision["inputSchema"]): string | undefined {
  try {
    return canonicalForm(toJsonSchema(schema));
  } catch {
    // Its vendor cannot write it.
    return undefined;
  }
}
