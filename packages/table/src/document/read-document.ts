import { escapePointer, isJsonObject } from "@decern/core/schema";
import type {
  HitPolicy,
  InputColumn,
  OutputCell,
  OutputColumn,
  TableDocument,
  TableRow,
} from "./document.js";
import { defaultId, hitPolicies } from "./document.js";
import type { Problems } from "./problems.js";

/** A document whose rows may lack some that were refused; a problem tells of each. */
export type ReadDocument = Omit<TableDocument, "rules"> & {
  readonly rules: readonly (ReadRow | undefined)[];
};

/** A missing id is a warning. */
export type ReadRow = Omit<TableRow, "id"> & { readonly id: string | undefined };

/**
 * Checks the form of a document, but not its cells.
 *
 * @returns `undefined` if nothing else can be checked
 */
export function readDocument(value: unknown, problems: Problems): ReadDocument | undefined {
  if (!isJsonObject(value)) {
    problems.error("", "is not a JSON object with table, version, hitPolicy, inputs, outputs and rules");
    return undefined;
  }
  unknownMembers(
    value,
    "",
    ["table", "version", "hitPolicy", "inputs", "outputs", "rules", "default"],
    problems,
  );
  const table = text(value["table"], "/table", problems);
  const version = text(value["version"], "/version", problems);
  const hitPolicy = policyOf(value["hitPolicy"], problems);
  const inputs = columnsOf(value["inputs"], "/inputs", ["path", "label"], problems);
  const outputs = columnsOf(value["outputs"], "/outputs", ["path", "label", "priority"], problems);
  const rules = list(value["rules"], "/rules", problems);
  if (outputs?.length === 0)
    problems.error(
      "/outputs",
      "needs at least one output; in a sheet, the heading of an output begins with → or out:",
    );
  if (rules?.length === 0 && value["default"] === undefined) problems.error("/rules", "has no row");
  if (table === undefined || version === undefined || hitPolicy === undefined) return undefined;
  if (inputs === undefined || outputs === undefined || rules === undefined || problems.hasErrors)
    return undefined;
  const size = { inputs: inputs.length, outputs: outputs.length };
  const rows = rules.map((rule, index) => rowOf(rule, `/rules/${index}`, size, problems));
  const given = value["default"];
  const otherwise =
    given === undefined ? undefined : cells(given, "/default", outputs.length, "output", problems);
  return {
    table,
    version,
    hitPolicy,
    inputs,
    outputs,
    rules: rows,
    ...(otherwise === undefined ? {} : { default: otherwise }),
  };
}

function policyOf(value: unknown, problems: Problems): HitPolicy | undefined {
  const policy = hitPolicies.find((each) => each === value);
  if (value === undefined) problems.error("/hitPolicy", "the hit policy is missing");
  else if (policy === undefined)
    problems.error("/hitPolicy", `${shown(value)} is not a hit policy; there are ${hitPolicies.join(", ")}`);
  return policy;
}

function columnsOf(
  value: unknown,
  path: string,
  members: readonly string[],
  problems: Problems,
): readonly (InputColumn & OutputColumn)[] | undefined {
  return list(value, path, problems)?.flatMap((column, index) => {
    const place = `${path}/${index}`;
    if (!isJsonObject(column)) {
      problems.error(place, "is not an object with a path");
      return [];
    }
    unknownMembers(column, place, members, problems);
    const found = text(column["path"], `${place}/path`, problems);
    const label = optionalText(column["label"], `${place}/label`, problems);
    const priority = priorityOf(column["priority"], `${place}/priority`, problems);
    if (found === undefined) return [];
    return [
      {
        path: found,
        ...(label === undefined ? {} : { label }),
        ...(priority === undefined ? {} : { priority }),
      },
    ];
  });
}

function priorityOf(value: unknown, path: string, problems: Problems): OutputColumn["priority"] {
  if (value === undefined) return undefined;
  const values = list(value, path, problems) ?? [];
  const scalars = values.filter(
    (each) => typeof each === "string" || typeof each === "number" || typeof each === "boolean",
  );
  if (scalars.length < values.length || new Set(scalars).size < scalars.length || scalars.length === 0)
    problems.error(path, "must list different texts, numbers or booleans, highest priority first");
  return scalars;
}

const rowMembers = ["id", "if", "then", "note", "from", "until"];

function rowOf(
  value: unknown,
  path: string,
  size: { readonly inputs: number; readonly outputs: number },
  problems: Problems,
): ReadRow | undefined {
  if (!isJsonObject(value)) {
    problems.error(path, "is not an object with id, if and then");
    return undefined;
  }
  unknownMembers(value, path, rowMembers, problems);
  const id = optionalText(value["id"], `${path}/id`, problems);
  // Sheets have the default in a row that begins so, in capitals, too.
  if (id?.trim().toLowerCase() === defaultId)
    problems.error(`${path}/id`, `"${id}" is the id of the default`);
  const note = optionalText(value["note"], `${path}/note`, problems);
  const from = optionalText(value["from"], `${path}/from`, problems);
  const until = optionalText(value["until"], `${path}/until`, problems);
  const conditions = cells(value["if"], `${path}/if`, size.inputs, "input", problems);
  const outputs = cells(value["then"], `${path}/then`, size.outputs, "output", problems);
  if (conditions === undefined || outputs === undefined) return undefined;
  return {
    id: id?.trim() === "" ? undefined : id,
    if: conditions,
    then: outputs,
    ...(note === undefined ? {} : { note }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  };
}

function cells(
  value: unknown,
  path: string,
  size: number,
  what: "input" | "output",
  problems: Problems,
): readonly OutputCell[] | undefined {
  const found = list(value, path, problems);
  if (found === undefined) return undefined;
  if (found.length !== size) {
    const columns = `${size} ${what} column${size === 1 ? "" : "s"}`;
    problems.error(
      path,
      `has ${found.length} cell${found.length === 1 ? "" : "s"}, and the table has ${columns}`,
    );
    return undefined;
  }
  if (found.every(isCell)) return found;
  for (const [index, cell] of found.entries())
    if (!isCell(cell)) problems.error(`${path}/${index}`, "is not a text, a number, a boolean or null");
  return undefined;
}

function isCell(cell: unknown): cell is OutputCell {
  return cell === null || typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean";
}

function list(value: unknown, path: string, problems: Problems): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  problems.error(path, `${nameOf(path)} ${value === undefined ? "is missing" : "is not a list"}`);
  return undefined;
}

function text(value: unknown, path: string, problems: Problems): string | undefined {
  if (typeof value === "string" && value.trim() !== "") return value;
  problems.error(path, `${nameOf(path)} ${value === undefined ? "is missing" : "is not a text, or empty"}`);
  return undefined;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function optionalText(value: unknown, path: string, problems: Problems): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  problems.error(path, `${nameOf(path)} is not a text`);
  return undefined;
}

function unknownMembers(value: object, path: string, known: readonly string[], problems: Problems): void {
  for (const name of Object.keys(value))
    if (!known.includes(name))
      problems.error(`${path}/${escapePointer(name)}`, `is unknown; there are ${known.join(", ")}`);
}

/** A value in a message. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
