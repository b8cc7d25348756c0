import type { TableAnalysis, TableDocument, TableRow } from "@decern/table/browser";
import type { ComponentChildren } from "preact";
import { Icon, QuietButton } from "../parts/controls.js";
import type { GridColumn } from "./columns.js";
import { roles } from "./grid-frame.js";
import {
  conditionText,
  defaultId,
  forceText,
  type MarkedRows,
  markOf,
  missesOf,
  outputText,
  type RowState,
  stateOf,
} from "./marked-rows.js";

/** Puts an input into the form. */
export type TryInput = (input: unknown) => void;

/** What the rows of a grid have in common. */
export interface GridRows {
  readonly document: TableDocument;
  readonly columns: readonly GridColumn[];
  readonly marked: MarkedRows | undefined;
  readonly gaps: TableAnalysis["gaps"];
  /** How often rows decided, where that was counted. */
  readonly hits?: ReadonlyMap<string, number> | undefined;
  readonly onTry: TryInput;
}

/** What stands in a row of the grid: one of the table's, a gap, or the default. */
type Shown =
  | { readonly kind: "row"; readonly rule: TableRow }
  | { readonly kind: "gap"; readonly gap: TableAnalysis["gaps"][number]; readonly number: number }
  | { readonly kind: "default" };

function shownAt({ document: { rules }, gaps }: GridRows, row: number): Shown {
  const rule = rules[row];
  if (rule !== undefined) return { kind: "row", rule };
  const number = row - rules.length;
  const gap = gaps[number];
  return gap === undefined ? { kind: "default" } : { kind: "gap", gap, number: number + 1 };
}

interface GridRowProps extends GridRows {
  readonly row: number;
  /** The column whose cell takes part in the order of the Tab key. */
  readonly focused: number | undefined;
  /** Where the row is on the line that joins two; empty if it is not. */
  readonly joint: string;
}

export function GridRow(props: GridRowProps) {
  const { columns, row, focused } = props;
  const shown = shownAt(props, row);
  return (
    <tr {...roles.row} aria-rowindex={row + 2} data-row={row} class={rowClass(props, shown)}>
      {columns.map((column, at) => {
        const place = { "aria-colindex": at + 1, "data-column": at, tabIndex: focused === at ? 0 : -1 };
        const key = `${column.kind} ${column.place}`;
        if (column.kind === "id")
          return (
            <th key={key} scope="row" class="cell id" {...roles.rowHeader} {...place}>
              <RowHead {...props} shown={shown} />
            </th>
          );
        return (
          <td
            key={key}
            class={`cell ${column.kind}${markClass(props, shown, column)}`}
            {...roles.cell}
            {...place}
          >
            <span class="cell-label" aria-hidden="true">
              {column.label}
            </span>
            <span class="cell-value">
              <CellText {...props} shown={shown} column={column} />
            </span>
          </td>
        );
      })}
    </tr>
  );
}

interface ShownProps extends GridRows {
  readonly shown: Shown;
}

function rowClass({ marked, joint }: GridRowProps, shown: Shown): string {
  if (shown.kind === "gap") return "grid-row gap";
  const state = stateOf(shown.kind === "row" ? shown.rule.id : defaultId, marked);
  // What one cell alone keeps from being met says most.
  const isNear = shown.kind === "row" && state === "missed" && missesOf(shown.rule.if, marked) === 1;
  return `grid-row ${state}${isNear ? " near" : ""}${joint}`;
}

function RowHead({ marked, onTry, shown }: ShownProps) {
  if (shown.kind === "default") return <RowName state={stateOf(defaultId, marked)}>Default</RowName>;
  if (shown.kind === "row") return <RuleName rule={shown.rule} marked={marked} />;
  const { gap, number } = shown;
  return (
    <>
      <span class="row-name">
        <span class="tag gap-tag">No row</span>
        <QuietButton onClick={() => onTry(gap.witness)}>
          Try it<span class="hidden">: gap {number}</span>
        </QuietButton>
      </span>
      <ForceNote when={gap} />
    </>
  );
}

const stateTexts: Readonly<Record<RowState, string>> = {
  decides: "Decides",
  also: "Also matches",
  "out-of-force": "Not in force",
  missed: "",
  unknown: "",
};

interface RowNameProps {
  readonly state: RowState;
  readonly children: ComponentChildren;
}

/** What a row is called, and in words what its colour says. */
function RowName({ state, children }: RowNameProps) {
  return (
    <span class="row-name">
      {children}
      {stateTexts[state] === "" ? null : <span class={`tag ${state}`}>{stateTexts[state]}</span>}
    </span>
  );
}

interface RuleNameProps {
  readonly rule: TableRow;
  readonly marked: MarkedRows | undefined;
}

/** The name of one of the table's rows, and when it is in force. */
export function RuleName({ rule, marked }: RuleNameProps) {
  return (
    <>
      <RowName state={stateOf(rule.id, marked)}>
        <code title={rule.id}>{rule.id}</code>
      </RowName>
      <ForceNote when={rule} />
    </>
  );
}

function ForceNote({ when }: { readonly when: Parameters<typeof forceText>[0] }) {
  const text = forceText(when);
  return text === undefined ? null : <span class="force">{text}</span>;
}

function markClass({ marked }: GridRows, shown: Shown, { kind, place }: GridColumn): string {
  const mark =
    kind === "input" && shown.kind === "row" ? markOf(marked, place, shown.rule.if[place]) : undefined;
  if (mark === undefined) return "";
  return mark === "" ? " held" : " failed";
}

function CellText({
  document,
  marked,
  hits,
  shown,
  column: { kind, place },
}: ShownProps & { readonly column: GridColumn }) {
  if (shown.kind === "gap")
    return kind === "input" ? <Condition cell={shown.gap.box[place]} mark={undefined} /> : null;
  if (kind === "hits") {
    const count = hits?.get(shown.kind === "default" ? defaultId : shown.rule.id) ?? 0;
    return count === 0 ? <span class="any">none</span> : <span>{count.toLocaleString("en")}</span>;
  }
  if (shown.kind === "default") {
    if (kind === "output") return <code>{outputText(document.default?.[place])}</code>;
    return kind === "input" ? <span class="any">no row matches</span> : null;
  }
  const { rule } = shown;
  if (kind === "output") return <code>{breakable(outputText(rule.then[place]))}</code>;
  if (kind === "note") return <span title={rule.note}>{rule.note}</span>;
  return <Condition cell={rule.if[place]} mark={markOf(marked, place, rule.if[place])} />;
}

/** A formula that breaks between the names of a path before it breaks in one. */
function breakable(text: string): ComponentChildren {
  const parts = text.split(/(?<=[a-z]\.)(?=[a-z])/i);
  return parts.map((part, index) => (index === 0 ? part : [<wbr key={part} />, part]));
}

interface ConditionProps {
  readonly cell: TableRow["if"][number] | undefined;
  /** Why it is not met; `""` if it is. */
  readonly mark: string | undefined;
}

/** A condition, and whether it is met. */
export function Condition({ cell, mark }: ConditionProps) {
  const text = conditionText(cell);
  return (
    <>
      {text === "any" ? <span class="any">any</span> : <code title={text}>{text}</code>}
      {mark === undefined || (mark === "" && text === "any") ? null : (
        <span class={mark === "" ? "mark" : "mark why"}>
          <Icon name={mark === "" ? "check" : "close"} />
          {mark === "" ? <span class="hidden">held</span> : <span title={mark}>{mark}</span>}
        </span>
      )}
    </>
  );
}
