import { DecernError } from "@decern/core";
import type { Dialect } from "./graph/camunda.js";
import { type ModelProblem, problemText } from "./graph/link.js";
import { ModelProgram } from "./graph/program.js";
import { readModels } from "./graph/read-models.js";
import type { DmnDocument } from "./options.js";

const mostProblems = 100;

/**
 * Reads, connects and compiles documents.
 *
 * @throws DecernError `INVALID_DECISION` with up to 100 problems
 */
export function readProgram(documents: readonly DmnDocument[], dialect: Dialect): ModelProgram {
  const { models, problems } = readModels(documents);
  refuseProblems(problems, documents);
  const program = new ModelProgram(models, dialect);
  refuseProblems(program.problems, documents);
  return program;
}

/** @throws DecernError `INVALID_DECISION` unless there are none */
export function refuseProblems(problems: readonly ModelProblem[], documents: readonly DmnDocument[]): void {
  if (problems.length === 0) return;
  throw new DecernError("INVALID_DECISION", {
    problems: problems.slice(0, mostProblems).map((problem) => ({
      path: `/${documents.findIndex(({ name }) => name === problem.file)}`,
      message: problemText(problem),
    })),
  });
}
