import "../styles/table.css";
import "../styles/edit.css";
import { type TableDocument, writeTable } from "@decern/table/browser";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { draftOf } from "../draft/draft.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { settled, useLatest } from "../parts/browser.js";
import type { CellPlace } from "../table/grid-window.js";
import { DraftGrid, editColumns } from "./draft-grid.js";
import { DraftHead } from "./draft-head.js";
import { useChecked, useDraftClient, useSteps } from "./use-draft.js";

interface TableEditorProps {
  readonly decision: DocsDecision;
  /** The table to begin with: what is edited stays when a different one comes. */
  readonly content: DocsContent;
  /** As which file the table is written. */
  readonly form: "json" | "csv";
  /** Called with the file after each change that can be read. */
  readonly onChange: (text: string) => void;
}

const noCalls: readonly never[] = [];

/** The grid of a draft, for a page that keeps the table itself. */
export function TableEditor({ form, onChange, ...first }: TableEditorProps) {
  const [{ decision, content }] = useState(first);
  // Holds: by its media type it is the canonical document that @decern/table wrote.
  const edited = useSteps(() => draftOf(content.document as TableDocument));
  const { draft } = edited;
  const client = useDraftClient(decision, content);
  const checked = useChecked(client, draft, noCalls);
  const columns = useMemo(() => editColumns(draft, decision), [draft.head, decision]);
  const goTo = useRef<((place: CellPlace) => void) | null>(null);
  const written = useRef(draft);
  const latest = useLatest(onChange);
  useEffect(() => {
    if (client === undefined || checked?.hash === undefined || checked.draft === written.current)
      return undefined;
    return settled(client.ask(checked.draft, "document", undefined), (document) => {
      written.current = checked.draft;
      latest.current(new TextDecoder().decode(writeTable(document, form)));
    });
  }, [client, checked, form]);
  return (
    <div class="table-card draft-card">
      <p class="too-narrow stale">The grid needs a wider window. The rows can be edited as text.</p>
      <DraftHead
        {...{ draft, checked }}
        version={draft.head.version}
        isChanged={false}
        onChange={edited.onChange}
      />
      <DraftGrid {...edited} {...{ columns, client, checked }} goToRef={goTo} />
    </div>
  );
}
