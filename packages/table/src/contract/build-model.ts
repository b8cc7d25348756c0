import { scalarOf, typeNames } from "../cells/scalar.js";
import { isAggregate, isListPolicy } from "../document/document.js";
import type { Problems } from "../document/problems.js";
import { type ReadDocument, shown } from "../document/read-document.js";
import type { TableModel } from "../model.js";
import type { ContractShape, TableContract } from "./contract.js";
import { shapeOf } from "./contract.js";
import { type Field, pathOf } from "./fields.js";
import { RowParser } from "./parse-rows.js";

/**
 * Parses a document's cells against a contract.
 *
 * @returns `undefined` if there are errors
 */
export function buildModel(
  contract: TableContract,
  document: ReadDocument,
  problems: Problems,
): TableModel | undefined {
  const shape = shapeOf(contract);
  const { hitPolicy } = document;
  if (document.table !== contract.id)
    problems.error("/table", `${shown(document.table)} is not the id of the contract, ${shown(contract.id)}`);
  const inputs = fieldsOf(document.inputs, "/inputs", (path) => shape.inputAt(path), problems);
  checkPolicy(document, shape, problems);
  if (problems.hasErrors) return undefined;
  const outputs = fieldsOf(document.outputs, "/outputs", (path) => shape.outputAt(hitPolicy, path), problems);
  checkOutputs(document, outputs, problems);
  if (problems.hasErrors) return undefined;
  const rows = new RowParser(
    document,
    { shape, inputs, outputs, outputSchema: contract.outputSchema },
    problems,
  ).parse();
  const otherwise = document.default === undefined ? undefined : rows.emitted(document.default, "/default");
  if (problems.hasErrors) return undefined;
  const { table, version, inputs: inputColumns, outputs: outputColumns } = document;
  return {
    document: {
      table,
      version,
      hitPolicy,
      inputs: inputColumns,
      outputs: outputColumns,
      rules: rows.canonical,
      ...(otherwise === undefined ? {} : { default: otherwise.cells }),
    },
    hitPolicy,
    columns: inputs,
    rows: rows.rows,
    reads: rows.reads,
    otherwise,
  };
}

function fieldsOf(
  columns: readonly { readonly path: string }[],
  place: string,
  fieldAt: (path: readonly string[]) => Field | string,
  problems: Problems,
): readonly Field[] {
  const seen = new Set<string>();
  return columns.flatMap(({ path: text }, index) => {
    const at = `${place}/${index}/path`;
    const path = pathOf(text);
    const field = path === undefined ? "is not a path of names joined by dots" : fieldAt(path);
    if (seen.has(text)) problems.error(at, `"${text}" is the path of an earlier column`);
    seen.add(text);
    if (typeof field !== "string") return [field];
    const schema = place === "/inputs" ? "input" : "output";
    problems.error(at, `"${text}" ${field === "is unknown" ? `is unknown to the ${schema} schema` : field}`);
    return [];
  });
}

function checkPolicy({ hitPolicy }: ReadDocument, { hasList }: ContractShape, problems: Problems): void {
  if (isListPolicy(hitPolicy) === hasList) return;
  problems.error(
    "/hitPolicy",
    hasList
      ? `${hitPolicy} returns a single result, and the output schema is one of a list`
      : `${hitPolicy} returns a list, and the output schema is not one of a list`,
  );
}

function checkOutputs(
  { hitPolicy, outputs }: ReadDocument,
  fields: readonly Field[],
  problems: Problems,
): void {
  if (isAggregate(hitPolicy)) {
    if (outputs.length > 1)
      problems.error("/outputs", `${hitPolicy} makes one number, so there can be one output`);
    for (const [index, { type }] of fields.entries())
      if (type !== "number")
        problems.error(
          `/outputs/${index}/path`,
          `${hitPolicy} makes a number, and the output holds ${typeNames[type]}`,
        );
  }
  const ranks = hitPolicy === "P" || hitPolicy === "O";
  if (ranks && outputs.every(({ priority }) => priority === undefined))
    problems.error("/outputs", `${hitPolicy} needs an output with its values in the order of priority`);
  for (const [index, { priority }] of outputs.entries()) {
    if (priority === undefined) continue;
    const path = `/outputs/${index}/priority`;
    if (!ranks) problems.error(path, `is only for the hit policies P and O, and the table has ${hitPolicy}`);
    const field = fields[index];
    const wrong = field && priority.find((value) => scalarOf(field.type, value) === undefined);
    if (wrong !== undefined && field !== undefined)
      problems.error(
        path,
        `${shown(wrong)} is not one of the ${typeNames[field.type]} that the output holds`,
      );
  }
}
