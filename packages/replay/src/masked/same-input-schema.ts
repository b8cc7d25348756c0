import { type Decision, toJsonSchema } from "@decern/core";
import { canonicalForm } from "@decern/core/tools";

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
