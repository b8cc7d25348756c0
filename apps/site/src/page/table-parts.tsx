import type { MarkedRows, Reply } from "@decern/pages/components";
import { useEffect, useState } from "preact/hooks";
import type { PlaygroundCall, TableText } from "../base/state.js";
import type { OpenedDecision } from "../engine/messages.js";

type TableCode = typeof import("@decern/pages/table-components");

/** Loads the code that shows tables, for a decision that a table makes. */
export function useTableCode({ content }: OpenedDecision): TableCode | undefined {
  const [code, setCode] = useState<TableCode>();
  const isTable = content !== undefined;
  useEffect(() => {
    if (isTable) void import("@decern/pages/table-components").then(setCode);
  }, [isTable]);
  return isTable ? code : undefined;
}

interface TablePartsProps {
  readonly decision: OpenedDecision;
  readonly call: PlaygroundCall;
  readonly reply: Reply | undefined;
  readonly isOld: boolean;
  readonly table: TableCode | undefined;
  readonly onTry: (input: unknown) => void;
  readonly onMarked: (marked: MarkedRows | undefined) => void;
}

/** The table of a decision, with the rows that the call meets. */
export function TableParts({ table, decision, ...props }: TablePartsProps) {
  const { content } = decision;
  if (table === undefined || content === undefined) return null;
  return <table.TableSection decision={decision} content={content} profileMerge={false} {...props} />;
}

type EditorCode = typeof import("@decern/pages/table-editor");

interface TableGridProps {
  readonly table: TableText;
  /** The decision that the table makes. Undefined while it makes none. */
  readonly decision: OpenedDecision | undefined;
  /** Called with the text of the table after each change. */
  readonly onChange: (text: string) => void;
}

/** The rows of a table in the grid that the pages of a service edit drafts in. Its code loads once somebody opens it. */
export function TableGrid({ table: { name }, decision, onChange }: TableGridProps) {
  const [code, setCode] = useState<EditorCode>();
  const [first, setFirst] = useState(decision);
  useEffect(() => void import("@decern/pages/table-editor").then(setCode), []);
  if (first === undefined && decision !== undefined) setFirst(decision);
  if (first?.content === undefined)
    return <p class="field-description">The rows appear once the table can be read.</p>;
  if (code === undefined) return <p role="status">Loading the grid…</p>;
  const form = name.endsWith(".csv") ? "csv" : "json";
  return (
    <div class="source-grid">
      <code.TableEditor decision={first} content={first.content} form={form} onChange={onChange} />
    </div>
  );
}
