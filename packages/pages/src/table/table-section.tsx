import "../styles/table.css";
import type { TableDocument } from "@decern/table/browser";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { SharedCall } from "../model/call.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import type { Reply } from "../model/reply.js";
import { useLatest } from "../parts/browser.js";
import { columnsOf } from "./columns.js";
import type { TryInput } from "./grid-row.js";
import type { MarkedRows } from "./marked-rows.js";
import { RowCards } from "./row-cards.js";
import { TableCard } from "./table-card.js";
import { useTable } from "./use-table.js";

interface TableSectionProps {
  readonly decision: DocsDecision;
  readonly content: DocsContent;
  /** The call in the form. */
  readonly call: SharedCall;
  readonly reply: Reply | undefined;
  /** Whether a caller's profile is merged into the host's. */
  readonly profileMerge: boolean;
  /** Whether the reply is about to be replaced. */
  readonly isOld: boolean;
  readonly onTry: TryInput;
  /** Called with the rows next to the reply, which other parts of the page show, too. */
  readonly onMarked: (marked: MarkedRows | undefined) => void;
  /** The key for records. Absent where there are none. */
  readonly recordsKey?: string | undefined;
  /** Stands in the head of the table. */
  readonly children?: ComponentChildren;
}

/** The table of a decision, and what it is to the result on screen. Pages of decisions without a table do not load it. */
export function TableSection(props: TableSectionProps) {
  const { decision, content, isOld, onMarked, recordsKey, children } = props;
  const { marked, unmarked, analysis, unanalyzed } = useTable(props);
  useEffect(() => onMarked(marked), [marked]);
  const latest = useLatest(props);
  // A long table is not drawn again for each key that somebody presses in the form.
  return useMemo(() => {
    const known = { marked, unmarked, analysis, unanalyzed };
    const onTry: TryInput = (input) => latest.current.onTry(input);
    return (
      <TableCard {...{ decision, known, isOld, onTry, recordsKey }} document={documentOf(content)}>
        {children}
      </TableCard>
    );
  }, [decision, content, isOld, marked, unmarked, analysis, unanalyzed, recordsKey, children]);
}

interface DecidingRowsProps extends Pick<TableSectionProps, "decision" | "content"> {
  readonly marked: MarkedRows;
}

/** The rows that led to the result on screen, or that nearly did. */
export function DecidingRows({ decision, content, marked }: DecidingRowsProps) {
  const document = documentOf(content);
  const columns = useMemo(() => columnsOf(document, decision), [document, decision]);
  return <RowCards {...{ document, columns, marked }} />;
}

function documentOf({ document }: DocsContent): TableDocument {
  // Holds: by its media type it is the canonical document that @decern/table wrote.
  return document as TableDocument;
}
