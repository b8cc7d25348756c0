import {
  type Draft,
  type Span,
  withBlankRows,
  withCopies,
  withDefault,
  withoutRows,
} from "../draft/draft.js";
import { QuietButton } from "../parts/controls.js";
import type { EditedDraft } from "./use-draft.js";

interface EditToolbarProps extends EditedDraft {
  /** The rows that are selected. */
  readonly span: Span;
  /** Shows rows that there were not before. @param row - the first of them */
  readonly onRows: (draft: Draft, row: number) => void;
  readonly onMove: (by: -1 | 1) => void;
}

/** What can be done to the rows that are selected. */
export function EditToolbar({ draft, span, canUndo, canRedo, ...props }: EditToolbarProps) {
  const { row, count } = span;
  const { rows, otherwise } = draft;
  const ofDefault = row >= rows.length;
  const below = Math.min(row + count, rows.length);
  const names = count > 1 ? `${count} rows` : "row";
  return (
    <fieldset class="edit-toolbar">
      <legend class="hidden">Rows</legend>
      <Tool name="Undo" keys="Ctrl+Z" isOn={canUndo} onUse={props.onUndo} />
      <Tool name="Redo" keys="Ctrl+Y" isOn={canRedo} onUse={props.onRedo} />
      <Tool
        name="Insert row above"
        isOn={!ofDefault}
        onUse={() => props.onRows(withBlankRows(draft, { row, count: 1 }), row)}
      />
      <Tool
        name="Insert row below"
        isOn={!ofDefault}
        onUse={() => props.onRows(withBlankRows(draft, { row: below, count: 1 }), below)}
      />
      <Tool
        name={`Duplicate ${names}`}
        isOn={!ofDefault}
        onUse={() => props.onRows(withCopies(draft, span), below)}
      />
      <Tool name="Move up" keys="Alt+↑" isOn={!ofDefault && row > 0} onUse={() => props.onMove(-1)} />
      <Tool
        name="Move down"
        keys="Alt+↓"
        isOn={!ofDefault && row + count < rows.length}
        onUse={() => props.onMove(1)}
      />
      <Tool
        name={ofDefault ? "Delete default" : `Delete ${names}`}
        isOn={rows.length + (otherwise === undefined ? 0 : 1) > 0}
        onUse={() => props.onChange(withoutRows(draft, span))}
      />
      {otherwise === undefined ? (
        <Tool name="Add default" isOn={true} onUse={() => props.onRows(withDefault(draft), rows.length)} />
      ) : null}
    </fieldset>
  );
}

interface ToolProps {
  readonly name: string;
  readonly keys?: string;
  readonly isOn: boolean;
  readonly onUse: () => void;
}

function Tool({ name, keys, isOn, onUse }: ToolProps) {
  return (
    <QuietButton isOff={!isOn} title={keys} onClick={onUse}>
      {name}
    </QuietButton>
  );
}
