import type { Schema } from "@decern/core";
import { type NestedTable, rowId } from "../boxed/nested-tables.js";
import { typeSchema } from "../contract/type-schema.js";
import type { Linked } from "../graph/link.js";
import type { ModelProgram } from "../graph/program.js";
import { defaultLimits } from "../values/run.js";
import { anyContext } from "../values/type.js";
import { plainCell } from "./plain-cells.js";
import { plainInputs } from "./plain-inputs.js";
import { plainOutputs } from "./plain-outputs.js";

/** A table of a model as `@decern/table` has tables. Its inputs are the expressions of its columns, its outputs texts. */
export interface PlainTable {
  readonly contract: {
    readonly id: string;
    readonly inputSchema: Schema;
    readonly outputSchema: Schema;
    readonly profileSchema: Schema;
  };
  /** Of the canonical form of tables, which is JSON. */
  readonly document: unknown;
}

/** @throws NotAnalysed */
export function plainTable({ box, path }: NestedTable, linked: Linked, program: ModelProgram): PlainTable {
  const inputs = plainInputs(box, linked, program);
  const outputs = plainOutputs(box);
  const rules = box.rules.map((rule, row) => ({
    id: rowId(path, row),
    if: rule.inputs.map((cell, column) => {
      const place = `row ${row + 1}, ${box.inputs[column]?.expression ?? ""}`;
      return plainCell(cell, place);
    }),
    then: outputs.cells[row] ?? [],
  }));
  return {
    contract: {
      id: path,
      inputSchema: typeSchema(inputs.type, defaultLimits, false),
      outputSchema: typeSchema(outputs.type, defaultLimits, false),
      profileSchema: typeSchema(anyContext, defaultLimits, false),
    },
    document: {
      table: path,
      version: "1.0.0",
      hitPolicy: outputs.hitPolicy,
      inputs: inputs.paths.map((each) => ({ path: each })),
      outputs: outputs.columns,
      rules,
      ...(outputs.otherwise === undefined ? {} : { default: outputs.otherwise }),
    },
  };
}
