import type { DraftRow } from "../draft/draft.js";
import type { GridColumn } from "../table/columns.js";
import { roles } from "../table/grid-frame.js";
import { CellEditor, CellText, Problem } from "./edit-cell.js";
import { isIn } from "./selection.js";
import type { GridEdits } from "./use-grid-edits.js";

interface EditRowProps {
  readonly row: number;
  readonly one: DraftRow;
  readonly isDefault: boolean;
  readonly columns: readonly GridColumn[];
  readonly problems: ReadonlyMap<string, string>;
  readonly check: (row: DraftRow, column: number) => Promise<string | undefined>;
  readonly edits: GridEdits;
  /** The column of the cell that has the keyboard, or takes part in the order of the Tab key. */
  readonly active: number | undefined;
}

/** One row of a draft. */
export function EditRow(props: EditRowProps) {
  const { row, columns, problems, edits, active, one } = props;
  return (
    <tr {...roles.row} aria-rowindex={row + 2} data-row={row} class="grid-row">
      {columns.map((column, at) => {
        const problem = problems.get(`${row} ${at}`);
        const isEdited = edits.editing?.row === row && edits.editing.column === at;
        const attributes = {
          "aria-colindex": at + 1,
          "data-column": at,
          tabIndex: active === at && !isEdited ? 0 : -1,
          "aria-selected": isIn(edits.range, row, at),
          "aria-readonly": edits.isFixed({ row, column: at }),
          "aria-invalid": problem !== undefined,
          "aria-describedby": problem === undefined ? undefined : problemId(one, at),
          class: `cell ${column.kind}${problem === undefined ? "" : " wrong"}`,
        };
        const inside = isEdited ? (
          <EditedCell {...props} at={at} column={column} />
        ) : (
          <ShownCell {...props} at={at} column={column} problem={problem} />
        );
        return column.kind === "id" ? (
          <th key="id" scope="row" {...roles.rowHeader} {...attributes}>
            {inside}
          </th>
        ) : (
          <td key={`${column.kind} ${column.place}`} {...roles.cell} {...attributes}>
            {inside}
          </td>
        );
      })}
    </tr>
  );
}

function problemId({ key }: DraftRow, column: number): string {
  return `problem-${key}-${column}`;
}

interface CellProps extends EditRowProps {
  readonly at: number;
  readonly column: GridColumn;
}

function EditedCell({ row, one, at, column, check, edits }: CellProps) {
  return (
    <CellEditor
      label={`${column.label}, row ${one.values[0] ?? ""}`}
      text={one.values[at] ?? ""}
      typed={edits.editing?.typed}
      check={(text) => check({ ...one, values: one.values.with(at, text) }, at)}
      onCommit={(text, leave) => edits.commit({ row, column: at }, text, leave)}
      onCancel={edits.cancel}
    />
  );
}

function ShownCell({
  one,
  isDefault,
  at,
  column,
  problem,
  active,
}: CellProps & { readonly problem: string | undefined }) {
  const text = one.values[at] ?? "";
  return (
    <>
      <span class="cell-value" title={text}>
        <CellText column={column} text={text} isDefault={isDefault} />
      </span>
      {problem === undefined ? null : active === at ? (
        <Problem id={problemId(one, at)} text={problem} />
      ) : (
        <span class="hidden" id={problemId(one, at)}>
          {problem}
        </span>
      )}
    </>
  );
}
