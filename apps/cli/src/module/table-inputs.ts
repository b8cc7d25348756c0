import { extname } from "node:path";
import { isJsonObject, memberOf } from "@decern/core/schema";
import { isDecision } from "@decern/core/tools";
import {
  placeText,
  readTableDocument,
  type TableContract,
  type TableForm,
  type TableProblem,
} from "@decern/table";
import { CommandError } from "../command-line/command.js";
import { readBytes } from "../command-line/files.js";
import { meant } from "../text/text.js";
import { importModule } from "./load-module.js";

/** What a module exports for tables. */
export interface ContractModule {
  readonly contracts: readonly TableContract[];
  /** Its `profiles` by decision id, if it exports some. */
  readonly profiles: Readonly<Record<string, unknown>>;
}

/**
 * The contracts of tables that a module exports, by name or in lists. Without any, its decisions count: they have what a contract has.
 *
 * @throws CommandError if the module cannot be loaded, or exports none
 */
export async function loadContracts(path: string, cwd: string): Promise<ContractModule> {
  const exported = await importModule(path, cwd);
  const found = new Set(valuesOf(exported, 0).filter(isContract));
  const own = [...found].filter((each) => !isDecision(each));
  const contracts = own.length > 0 ? own : [...found];
  if (contracts.length === 0)
    throw new CommandError(
      `${path} exports no contract; add, for example, export const fee = tableContract({ … })`,
    );
  const profiles = memberOf(exported, "profiles") ?? memberOf(memberOf(exported, "default"), "profiles");
  return { contracts, profiles: isJsonObject(profiles) ? profiles : {} };
}

/**
 * The profile that a table is analysed with: that of `--profiles`, or else of the module.
 *
 * @throws CommandError for one that breaks its schema, also because there is none
 */
export function profileOf(
  { id, profileSchema }: TableContract,
  { profiles }: ContractModule,
  given: Readonly<Record<string, unknown>> = {},
): unknown {
  const own = Object.hasOwn(given, id) ? given[id] : Object.hasOwn(profiles, id) ? profiles[id] : undefined;
  const result = profileSchema["~standard"].validate(own ?? {});
  if ("then" in result || result.issues === undefined) return own;
  const [issue] = result.issues;
  const at = (issue?.path ?? []).map((part) => `/${String(typeof part === "object" ? part.key : part)}`);
  const problem = `${at.join("")}${at.length === 0 ? "" : ": "}${issue?.message}`;
  throw new CommandError(
    own === undefined
      ? `the table "${id}" needs a profile, in --profiles or as "profiles" of the module: ${problem}`
      : `the profile of "${id}" is invalid: ${problem}`,
  );
}

/** What a module exports, also in a default export, lists and objects such as `{ decisions: […] }`. */
function valuesOf(value: unknown, depth: number): readonly unknown[] {
  if (isContract(value) || depth > 3) return [value];
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, depth + 1));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => valuesOf(item, depth + 1)) : [];
}

/** `tableContract` has checked its schemas; a copy is checked when it is used. */
function isContract(value: unknown): value is TableContract {
  return (
    isJsonObject(value) &&
    typeof value["id"] === "string" &&
    // Schemas can be functions, as ArkType's are.
    ["inputSchema", "outputSchema", "profileSchema"].every((name) => "~standard" in Object(value[name]))
  );
}

/**
 * The contract of a table.
 *
 * @param id - `undefined` where the file names none
 * @param source - the file, which may have problems that explain it
 * @throws CommandError if there is none of that id, or several to choose from
 */
export function contractOf(
  { contracts }: ContractModule,
  id: string | undefined,
  source?: Parameters<typeof readTableDocument>[0],
): TableContract {
  const [only, second] = contracts;
  if (only !== undefined && second === undefined) return only;
  const ids = contracts.map((contract) => contract.id);
  const found = contracts.find((contract) => contract.id === id);
  if (found !== undefined) return found;
  if (id === undefined) {
    const problems = source === undefined ? [] : readTableDocument(source).problems.map(tableProblemText);
    const choice = `name a table; the module has contracts of ${ids.join(", ")}`;
    throw new CommandError(problems.length > 0 ? problems.join("\n") : choice);
  }
  throw new CommandError(`the module has no contract "${id}"; ${meant(id, ids)}`);
}

/** @throws CommandError when it cannot be read */
export async function readTableFile(path: string, cwd: string): Promise<{ name: string; bytes: Uint8Array }> {
  return { name: path, bytes: await readBytes(path, cwd) };
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
