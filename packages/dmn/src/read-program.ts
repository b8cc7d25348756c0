import { DecernError, type Problem } from "@decern/core";
import type { Dialect } from "./graph/camunda.js";
import type { ModelProblem } from "./graph/link.js";
import { ModelProgram } from "./graph/program.js";
import { type Model, ModelError } from "./model/model.js";
import { readModel } from "./model/read-model.js";
import { XmlError } from "./model/xml.js";
import type { DmnDocument } from "./options.js";

/**
 * Reads, connects and compiles documents.
 *
 * @throws DecernError `INVALID_DECISION` with up to 100 problems
 */
export function readProgram(documents: readonly DmnDocument[], dialect: Dialect): ModelProgram {
  const problems: Problem[] = [];
  const models: Model[] = [];
  for (const [index, { name, text }] of documents.entries()) {
    try {
      models.push(readModel(name, text));
    } catch (error) {
      if (!(error instanceof XmlError || error instanceof ModelError)) throw error;
      const line = error instanceof ModelError ? ` (line ${error.line})` : "";
      problems.push({ path: `/${index}`, message: `${name} ${error.message}${line}` });
    }
  }
  if (problems.length > 0) throw new DecernError("INVALID_DECISION", { problems });
  const program = new ModelProgram(models, dialect);
  if (program.problems.length > 0)
    throw new DecernError("INVALID_DECISION", {
      problems: program.problems.slice(0, 100).map((problem) => problemIn(problem, documents)),
    });
  return program;
}

export function problemIn(
  { file, line, element, message }: ModelProblem,
  documents: readonly DmnDocument[],
): Problem {
  const index = documents.findIndex(({ name }) => name === file);
  return {
    path: `/${index}`,
    message: `${file}, line ${line}: ${element === undefined ? "" : `${JSON.stringify(element)} `}${message}`,
  };
}
