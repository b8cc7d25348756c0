import "../styles/table.css";
import "../styles/edit.css";
import { type TableDocument, writeTable } from "@decern/table/browser";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { draftOf, redone, type Steps, stepTo, undone } from "../draft/draft.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import type { CellPlace } from "../table/grid-window.js";
import { DraftGrid, editColumns } from "./draft-grid.js";
import { DraftHead } from "./draft-head.js";
import { useChecked, useDraftClient } from "./use-draft.js";

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
  const [steps, setSteps] = useState(
    // Holds: by its media type it is the canonical document that @decern/table wrote.
    (): Steps => ({ past: [], now: draftOf(content.document as TableDocument), future: [] }),
  );
  const { past, now, future } = steps;
  const client = useDraftClient(decision, content);
  const checked = useChecked(client, now, noCalls);
  const columns = useMemo(() => editColumns(now, decision), [now.head, decision]);
  const goTo = useRef<((place: CellPlace) => void) | null>(null);
  const written = useRef(now);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (client === undefined || checked?.hash === undefined || checked.draft === written.current)
      return undefined;
    let wanted = true;
    const { draft } = checked;
    void client.ask(draft, "document", undefined).then((document) => {
      if (!wanted) return;
      written.current = draft;
      latest.current(new TextDecoder().decode(writeTable(document, form)));
    });
    return () => {
      wanted = false;
    };
  }, [client, checked, form]);
  const change = (next: Steps["now"]) => setSteps((last) => stepTo(last, next));
  return (
    <div class="table-card draft-card">
      <p class="too-narrow stale">The grid needs a wider window. The rows can be edited as text.</p>
      <DraftHead
        draft={now}
        checked={checked}
        version={now.head.version}
        isChanged={false}
        onChange={change}
      />
      <DraftGrid
        {...{ columns, client, checked }}
        draft={now}
        canUndo={past.length > 0}
        canRedo={future.length > 0}
        onChange={change}
        onUndo={() => setSteps(undone)}
        onRedo={() => setSteps(redone)}
        goToRef={goTo}
      />
    </div>
  );
}
