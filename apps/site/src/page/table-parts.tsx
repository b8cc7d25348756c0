import type { MarkedRows, Reply } from "@decern/pages/components";
import { useEffect, useState } from "preact/hooks";
import type { PlaygroundCall } from "../base/state.js";
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
