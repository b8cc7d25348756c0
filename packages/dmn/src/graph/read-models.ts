import { type Model, ModelError } from "../model/model.js";
import { readModel } from "../model/read-model.js";
import { XmlError } from "../model/xml.js";
import type { ModelProblem } from "./link.js";

/** A model, and those of others that it imports, directly or through others. */
export function withImports(model: Model, others: readonly Model[]): readonly Model[] {
  const needed = new Set([model]);
  // A set that grows while it is read is read to its end.
  for (const { imports } of needed) {
    for (const other of others) {
      if (imports.some(({ namespace }) => namespace === other.namespace)) needed.add(other);
    }
  }
  return [...needed];
}

/** Reads documents, as far as they can be read. */
export function readModels(documents: readonly { readonly name: string; readonly text: string }[]): {
  readonly models: readonly Model[];
  readonly problems: readonly ModelProblem[];
} {
  const models: Model[] = [];
  const problems: ModelProblem[] = [];
  for (const { name: file, text } of documents) {
    try {
      models.push(readModel(file, text));
    } catch (error) {
      if (!(error instanceof XmlError || error instanceof ModelError)) throw error;
      const element = error instanceof ModelError ? error.element : undefined;
      problems.push({ file, line: error.line, element, message: error.message });
    }
  }
  return { models, problems };
}
