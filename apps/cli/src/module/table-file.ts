import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { placeText, type TableForm, type TableProblem } from "@decern/table";
import { CommandError } from "../command-line/command.js";

/** @throws CommandError when it cannot be read */
export async function readTableFile(path: string, cwd: string): Promise<{ name: string; bytes: Uint8Array }> {
  try {
    return { name: path, bytes: await readFile(resolve(cwd, path)) };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${cause.code})` : "";
    throw new CommandError(`cannot read ${path}${code}`, { cause });
  }
}

/** @throws CommandError for a file that is to be none of the forms */
export function formOf(path: string): TableForm {
  const extension = extname(path).toLowerCase();
  if (extension === ".json") return "json";
  if (extension === ".csv" || extension === ".tsv") return "csv";
  if (extension === ".xlsx") return "xlsx";
  throw new CommandError(`the name of ${path} must end in .json, .csv or .xlsx`);
}

/** A problem in a line. */
export function tableProblemText({ severity, path, message, place }: TableProblem): string {
  const where = place === undefined ? path : placeText(place);
  // A JSON file has no rows and columns to name.
  const pointer = place?.row === undefined && path !== "" ? `, ${path}` : "";
  return `${severity === "warning" ? "warning: " : ""}${where}${pointer}: ${message}`;
}
