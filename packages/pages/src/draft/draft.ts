import type { InputCell, OutputCell, TableDocument } from "@decern/table/browser";

/** A table while it is edited: what is typed, whether or not it can be read. Rows that did not change stay the same objects. */
export interface Draft {
  readonly head: Omit<TableDocument, "rules" | "default">;
  readonly rows: readonly DraftRow[];
  /** Its values of inputs mean nothing. */
  readonly otherwise: DraftRow | undefined;
}

export interface DraftRow {
  /** Of this row, also after a change: no other row of the draft has it. */
  readonly key: number;
  /** Its id, conditions, outputs, note, from and until. */
  readonly values: readonly string[];
}

/** The last columns of a draft, after its id, inputs and outputs. */
const extras = 3;

/** How many columns the rows of a table have while it is edited. */
function widthOf({ inputs, outputs }: Draft["head"]): number {
  return 1 + inputs.length + outputs.length + extras;
}

/** A served table as a draft. */
export function draftOf({ rules, default: otherwise, ...head }: TableDocument): Draft {
  return {
    head,
    rows: rules.map((rule, key) => ({
      key,
      values: [
        rule.id,
        ...rule.if.map(textOf),
        ...rule.then.map(textOf),
        rule.note ?? "",
        rule.from ?? "",
        rule.until ?? "",
      ],
    })),
    otherwise: otherwise && {
      key: rules.length,
      values: ["default", ...head.inputs.map(() => ""), ...otherwise.map(textOf), "", "", ""],
    },
  };
}

function textOf(cell: InputCell | OutputCell): string {
  return cell === null ? "null" : String(cell);
}

/** A draft as a document, with cells as they were typed: a reader makes of them what it makes of those of a CSV file. */
export function documentOf({ head, rows, otherwise }: Draft): TableDocument {
  const outputs = 1 + head.inputs.length;
  const note = outputs + head.outputs.length;
  return {
    ...head,
    rules: rows.map(({ values }) => ({
      id: values[0] ?? "",
      if: values.slice(1, outputs),
      then: values.slice(outputs, note),
      ...given("note", values[note]),
      ...given("from", values[note + 1]),
      ...given("until", values[note + 2]),
    })),
    ...(otherwise === undefined ? {} : { default: otherwise.values.slice(outputs, note) }),
  };
}

function given<Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [Key in Name]?: string } {
  // Holds: the one member is of that name.
  return (text === undefined || text.trim() === "" ? {} : { [name]: text }) as {
    readonly [Key in Name]?: string;
  };
}

/** Where a problem of a document is in the grid of its draft; `undefined` for one of the whole table. */
export function placeOf(
  path: string,
  { head, rows }: Draft,
): { readonly row: number; readonly column: number } | undefined {
  const [, part, at = "0", member, index = "0"] = path.split("/");
  const outputs = 1 + head.inputs.length;
  if (part === "default") return { row: rows.length, column: outputs + Number(at) };
  if (part !== "rules" || !/^\d+$/.test(at)) return undefined;
  const columns: Readonly<Record<string, number>> = {
    if: 1 + Number(index),
    then: outputs + Number(index),
    note: outputs + head.outputs.length,
    from: outputs + head.outputs.length + 1,
    until: outputs + head.outputs.length + 2,
  };
  return { row: Number(at), column: (member === undefined ? undefined : columns[member]) ?? 0 };
}

/** Cells of a grid, from a place to the right and down. */
interface Block {
  readonly row: number;
  readonly column: number;
  readonly cells: readonly (readonly string[])[];
}

/**
 * Writes cells. Rows that there are not yet are added; what has no column is left out, and so is what the default does not have.
 */
export function withCells(draft: Draft, { row, column, cells }: Block): Draft {
  const { head, otherwise } = draft;
  const missing = row + cells.length - draft.rows.length;
  const isOfDefault = otherwise !== undefined && row === draft.rows.length && cells.length === 1;
  const grown =
    missing > 0 && !isOfDefault ? withRows(draft, draft.rows.length, blankRows(draft, missing)) : draft;
  const written = grown.rows.map((one, at) => {
    const texts = cells[at - row];
    return texts === undefined ? one : withValues(one, column, texts);
  });
  const outputs = 1 + head.inputs.length;
  const from = Math.max(column, outputs);
  const texts = cells[0]?.slice(from - column, outputs + head.outputs.length - column) ?? [];
  return {
    ...grown,
    rows: isOfDefault ? grown.rows : written,
    otherwise: isOfDefault ? withValues(otherwise, from, texts) : otherwise,
  };
}

function withValues(row: DraftRow, column: number, texts: readonly string[]): DraftRow {
  const values = row.values.map((value, at) => texts[at - column] ?? value);
  return values.every((value, at) => value === row.values[at]) ? row : { ...row, values };
}

function withRows(draft: Draft, at: number, rows: readonly DraftRow[]): Draft {
  return { ...draft, rows: draft.rows.toSpliced(at, 0, ...rows) };
}

function nextKey({ rows, otherwise }: Draft): number {
  return rows.reduce((most, { key }) => Math.max(most, key), otherwise?.key ?? 0) + 1;
}

function blankRows(draft: Draft, count: number): readonly DraftRow[] {
  const key = nextKey(draft);
  const blank = Array.from({ length: widthOf(draft.head) - 1 }, () => "");
  const ids = newIds(
    draft,
    Array.from({ length: count }, () => "new-row"),
  );
  return ids.map((id, at) => ({ key: key + at, values: [id, ...blank] }));
}

/** Ids that no row has yet: those that are wished for, with a number where needed. */
function newIds({ rows }: Draft, wished: readonly string[]): readonly string[] {
  const taken = new Set(rows.map(({ values: [id = ""] }) => id));
  const next = new Map<string, number>();
  return wished.map((wish) => {
    let number = next.get(wish) ?? 1;
    let id = wish;
    while (taken.has(id)) {
      number += 1;
      id = `${wish}-${number}`;
    }
    next.set(wish, number);
    taken.add(id);
    return id;
  });
}

/** Rows of a draft, from a place on. */
export interface Span {
  readonly row: number;
  readonly count: number;
}

/** Adds a row with these conditions. */
export function withRow(draft: Draft, conditions: readonly unknown[]): Draft {
  const row = draft.rows.length;
  const cells = [conditions.map((cell) => (cell === null ? "null" : String(cell)))];
  return withCells(withBlankRows(draft, { row, count: 1 }), { row, column: 1, cells });
}

/** Inserts rows without conditions. */
export function withBlankRows(draft: Draft, { row, count }: Span): Draft {
  return withRows(draft, Math.min(row, draft.rows.length), blankRows(draft, count));
}

/** Removes rows; the default, too, if it is among them. */
export function withoutRows(draft: Draft, { row, count }: Span): Draft {
  const hasDefault = row + count > draft.rows.length;
  return {
    ...draft,
    rows: draft.rows.toSpliced(row, count),
    otherwise: hasDefault ? undefined : draft.otherwise,
  };
}

/** Repeats rows below themselves, each with an id of its own. */
export function withCopies(draft: Draft, { row, count }: Span): Draft {
  const key = nextKey(draft);
  const copied = draft.rows.slice(row, row + count);
  const ids = newIds(
    draft,
    copied.map(({ values: [id = ""] }) => id),
  );
  const copies = copied.map(({ values: [, ...rest] }, at) => ({
    key: key + at,
    values: [ids[at] ?? "", ...rest],
  }));
  return withRows(draft, row + copied.length, copies);
}

/** Moves rows up (-1) or down (1); the same draft where they are at the end already. */
export function withMoved(draft: Draft, { row, count }: Span, by: -1 | 1): Draft {
  const to = row + by;
  if (to < 0 || to + count > draft.rows.length) return draft;
  const moved = draft.rows.slice(row, row + count);
  return { ...draft, rows: draft.rows.toSpliced(row, count).toSpliced(to, 0, ...moved) };
}

/** Adds what applies where no row matches. */
export function withDefault(draft: Draft): Draft {
  const values = ["default", ...Array.from({ length: widthOf(draft.head) - 1 }, () => "")];
  return { ...draft, otherwise: { key: nextKey(draft), values } };
}

/** What changes of a draft go back to, and forward. */
export interface Steps {
  readonly past: readonly Draft[];
  readonly now: Draft;
  readonly future: readonly Draft[];
}

/** Unchanged rows are shared, so that a step takes what changed, and a pointer per row. */
const mostSteps = 200;

export function stepTo({ past, now, future }: Steps, next: Draft): Steps {
  if (next === now) return { past, now, future };
  return { past: [...past.slice(1 - mostSteps), now], now: next, future: [] };
}

export function undone({ past, now, future }: Steps): Steps {
  const last = past.at(-1);
  return last === undefined
    ? { past, now, future }
    : { past: past.slice(0, -1), now: last, future: [now, ...future] };
}

export function redone({ past, now, future: [next, ...future] }: Steps): Steps {
  return next === undefined ? { past, now, future } : { past: [...past, now], now: next, future };
}
