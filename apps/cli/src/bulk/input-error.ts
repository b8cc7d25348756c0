import { DecernError } from "@decern/core";
import { CommandError } from "../command-line/command.js";

/** Names the input file, which the user gave as an argument and not as an option. */
export function inputError(error: unknown, input: string): unknown {
  if (!(error instanceof DecernError) || error.code !== "INVALID_OPTIONS") return error;
  const problem = error.problems.find(({ path }) => path === "/input");
  return problem === undefined ? error : new CommandError(`${input} ${problem.message}`, { cause: error });
}
