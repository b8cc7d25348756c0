import { DecernError } from "@decern/core";
import type { Dialect } from "./graph/camunda.js";
import { type ModelProblem, type ModelWarning, problemText } from "./graph/link.js";
import { ModelProgram } from "./graph/program.js";
import { type Model, ModelError } from "./model/model.js";
import { readModel } from "./model/read-model.js";
import { XmlError } from "./model/xml.js";
import { checkDocuments, type DmnDocument } from "./options.js";

const mostProblems = 100;

/** Compiled models; no program if they have problems. */
export interface ReadModels {
  readonly program: ModelProgram | undefined;
  readonly problems: readonly ModelProblem[];
  /** Of expressions that are null whatever the input. */
  readonly warnings: readonly ModelWarning[];
}

/** Reads, connects and compiles documents. */
export function readProgram(documents: readonly DmnDocument[], dialect: Dialect): ReadModels {
  const { models, problems } = readModels(documents);
  if (problems.length > 0) return { program: undefined, problems, warnings: [] };
  const program = new ModelProgram(models, dialect);
  const isSound = program.problems.length === 0;
  return { program: isSound ? program : undefined, problems: program.problems, warnings: program.warnings };
}

/** @throws DecernError `INVALID_DECISION` with up to 100 problems, unless there are none */
export function refuseProblems(problems: readonly ModelProblem[], documents: readonly DmnDocument[]): void {
  if (problems.length === 0) return;
  throw new DecernError("INVALID_DECISION", {
    problems: problems.slice(0, mostProblems).map((problem) => ({
      path: `/${documents.findIndex(({ name }) => name === problem.file)}`,
      message: problemText(problem),
    })),
  });
}

/**
 * A document with those that it imports, directly or through others.
 *
 * @param folder - documents to find them among. Those that can't be read are left out
 * @throws DecernError `INVALID_OPTIONS`
 */
export function withImportedDmn(
  document: DmnDocument,
  folder: readonly DmnDocument[],
): readonly DmnDocument[] {
  checkDocuments([document, ...folder]);
  const [model] = readModels([document]).models;
  if (model === undefined) return [document];
  const others = folder.filter(({ name }) => name !== document.name);
  const files = withImports(model, readModels(others).models).map(({ file }) => file);
  return [document, ...others.filter(({ name }) => files.includes(name))];
}

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
