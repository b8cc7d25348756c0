import type { RefObject } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type Draft, type DraftRow, documentOf, placeOf } from "../draft/draft.js";
import type { DocsDecision } from "../model/data.js";
import { columnsOf, type GridColumn } from "../table/columns.js";
import type { CellPlace } from "../table/grid-window.js";
import type { DraftClient } from "./draft-client.js";
import { ProblemList } from "./draft-head.js";
import { EditGrid } from "./edit-grid.js";
import type { CheckedDraft, EditedDraft } from "./use-draft.js";

interface DraftGridProps extends EditedDraft {
  readonly columns: readonly GridColumn[];
  readonly client: DraftClient | undefined;
  readonly checked: CheckedDraft | undefined;
  /** Goes to a cell. */
  readonly goToRef: RefObject<((place: CellPlace) => void) | null>;
}

/** The rows of a draft, which are edited, and what is wrong with them. */
export function DraftGrid({ columns, client, checked, goToRef, ...edited }: DraftGridProps) {
  const { draft } = edited;
  const problems = useMemo(() => problemsOf(checked), [checked]);
  const [said, setSaid] = useState("");
  return (
    <>
      <ProblemList checked={checked} columns={columns} onGo={(place) => goToRef.current?.(place)} />
      <EditGrid
        {...edited}
        {...{ columns, problems, goToRef }}
        check={async (row, column) => problemOf(client, draft, row, column)}
        onSay={setSaid}
      />
      <p class="hidden" role="status">
        {said}
      </p>
    </>
  );
}

/** A column for each value of a draft's rows. */
export function editColumns(draft: Draft, decision: DocsDecision): readonly GridColumn[] {
  const columns = columnsOf(documentOf(draft), decision).filter(({ kind }) => kind !== "note");
  return [
    ...columns,
    { kind: "note", place: 0, label: "Note", width: 16 },
    { kind: "from", place: 0, label: "From", width: 13 },
    { kind: "until", place: 0, label: "Until", width: 13 },
  ];
}

function problemsOf(checked: CheckedDraft | undefined): ReadonlyMap<string, string> {
  if (checked === undefined) return new Map();
  return new Map(
    checked.problems.flatMap(({ path, message }) => {
      const place = placeOf(path, checked.draft);
      return place === undefined ? [] : [[`${place.row} ${place.column}`, message] as const];
    }),
  );
}

/** What is wrong with one cell of a row as it is typed. */
async function problemOf(
  client: DraftClient | undefined,
  draft: Draft,
  row: DraftRow,
  column: number,
): Promise<string | undefined> {
  const isDefault = row.key === draft.otherwise?.key;
  const alone = { ...draft, rows: isDefault ? [] : [row], otherwise: isDefault ? row : undefined };
  const found = await client?.ask(draft, "row", alone);
  return found?.find(({ path }) => placeOf(path, alone)?.column === column)?.message;
}
