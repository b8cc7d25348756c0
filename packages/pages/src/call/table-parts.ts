import { useState } from "preact/hooks";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { type DecisionRef, loadContent, useLoaded } from "../service/api.js";
import type { MarkedRows } from "../table/marked-rows.js";
import type { TryItProps, TryItState } from "./use-try-it.js";

/** Of the documents that this page shows as tables. */
export const tableType = "application/vnd.decern.table+json";

type TableCode = typeof import("../table/table-section.js");

/** What the page needs to show a table. */
interface TableParts extends Pick<TableCode, "TableSection" | "DecidingRows"> {
  readonly content: DocsContent;
  /** Whether the browser has a draft of it. */
  readonly hasDraft: () => boolean;
}

/** Loads the document of a decision that a table makes, and the code that shows it; nothing for any other decision. */
export function useTableParts(decision: DocsDecision, ref: DecisionRef, apiKey: string) {
  const isTable = decision.mediaType === tableType;
  const [marked, setMarked] = useState<MarkedRows>();
  const loaded = useLoaded(
    () => (isTable ? loadTable(decision, ref, apiKey) : Promise.resolve(undefined)),
    `${decision.contentHash ?? ""} ${apiKey}`,
  );
  return { isTable, loaded, marked, setMarked };
}

/** What each part of the page of a decision gets. */
export interface PartProps extends TryItProps {
  readonly state: TryItState;
  readonly table: ReturnType<typeof useTableParts>;
}

/** The code that edits tables, once somebody edits one. */
export function useDraftCode() {
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoaded(
    () => (isOpen ? import("../edit/draft-section.js") : Promise.resolve(undefined)),
    String(isOpen),
  );
  return { isOpen, setOpen, loaded };
}

async function loadTable(decision: DocsDecision, ref: DecisionRef, apiKey: string): Promise<TableParts> {
  const [content, { TableSection, DecidingRows }, { keptDraft }] = await Promise.all([
    loadContent(ref, apiKey),
    import("../table/table-section.js"),
    import("../edit/kept-drafts.js"),
  ]);
  const versions = decision.versions.map(({ version }) => version);
  const hasDraft = () => keptDraft(decision, versions) !== undefined;
  return { content, TableSection, DecidingRows, hasDraft };
}
