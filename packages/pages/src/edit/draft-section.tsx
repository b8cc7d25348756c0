import "../styles/edit.css";
import "../styles/draft.css";
import type { TableDocument } from "@decern/table/browser";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Draft, documentOf, withRow } from "../draft/draft.js";
import type { SharedCall } from "../model/call.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import type { WorkedExample } from "../model/examples.js";
import { useSame } from "../parts/browser.js";
import { QuietButton } from "../parts/controls.js";
import type { GridColumn } from "../table/columns.js";
import type { Finding } from "../table/findings.js";
import type { TryInput } from "../table/grid-row.js";
import type { CellPlace } from "../table/grid-window.js";
import { Findings } from "../table/table-card.js";
import { profileOf } from "../table/use-table.js";
import { DraftGrid, editColumns } from "./draft-grid.js";
import { DraftHandover } from "./draft-handover.js";
import { DraftHead } from "./draft-head.js";
import { DraftNotices } from "./draft-notices.js";
import { DraftRecords } from "./draft-records.js";
import { DraftResults } from "./draft-results.js";
import {
  type AnalyzedDraft,
  type CheckedDraft,
  type EditedDraft,
  useAnalyzed,
  useChecked,
  useDraft,
  useDraftClient,
} from "./use-draft.js";

interface DraftSectionProps {
  readonly decision: DocsDecision;
  readonly content: DocsContent;
  /** The call in the form. */
  readonly call: SharedCall;
  readonly examples: readonly WorkedExample[];
  /** Whether a caller's profile is merged into the host's. */
  readonly profileMerge: boolean;
  readonly apiKey: string;
  /** Where the page of records is. Undefined where there is none. */
  readonly records: string | undefined;
  /** Whether the host takes drafts. */
  readonly publishes: boolean;
  readonly onTry: TryInput;
  /** Shows the served table again. The draft is kept. */
  readonly onClose: () => void;
}

/** A draft of a decision's table, edited: nothing of it is active anywhere. */
export function DraftSection(props: DraftSectionProps) {
  const { decision, content, call, profileMerge, apiKey, records, publishes } = props;
  const { id, version, contentHash } = decision;
  // Holds: by its media type it is the canonical document that @decern/table wrote.
  const kept = useDraft(decision, content.document as TableDocument);
  const { edited, basedOn } = kept;
  const { draft } = edited;
  const client = useDraftClient(decision, content);
  const profile = useSame(profileOf(decision, call, profileMerge));
  const { names, calls } = useDraftCalls(props, profile);
  const checked = useChecked(client, draft, calls);
  const isReadable = checked?.hash !== undefined;
  const analyzed = useAnalyzed(decision, content, isReadable ? checked.draft : undefined, profile);
  const columns = useMemo(() => editColumns(draft, decision), [draft.head, decision]);
  const goToRef = useRef<((place: CellPlace) => void) | null>(null);
  return (
    <section class="card table-card draft-card" aria-labelledby="draft-title">
      <DraftTitle id={id} onClose={props.onClose} />
      <p class="too-narrow stale">Editing needs a wider window. The draft is kept.</p>
      <DraftNotices {...{ kept, version }} />
      <DraftHead
        {...{ draft, checked, version }}
        isChanged={checked?.hash !== contentHash && checked !== undefined}
        onChange={edited.onChange}
      />
      <DraftGrid {...edited} {...{ columns, client, checked, goToRef }} />
      {analyzed === undefined || !isReadable ? null : (
        <DraftFindings {...edited} {...{ analyzed, columns, goToRef }} onTry={props.onTry} />
      )}
      <DraftResults names={names} results={checked?.results ?? []} isOld={checked?.draft !== draft} />
      {records === undefined ? null : (
        <DraftRecords {...{ decision, content, apiKey, records, isReadable, draft }} />
      )}
      <DraftHandover
        {...{ id, version, draft, client, apiKey, publishes, basedOn }}
        hindrance={hindranceOf(checked, analyzed, draft, decision)}
      />
    </section>
  );
}

/** The call in the form and the examples, with the profiles that they have. */
function useDraftCalls({ decision, call, examples, profileMerge }: DraftSectionProps, profile: unknown) {
  const shownCall = useSame(call);
  return useMemo(() => {
    const nowMs = Date.now();
    const shown = examples.map(({ input, profile: own }) => ({
      input,
      profile: profileOf(decision, own === undefined ? { input } : { input, profile: own }, profileMerge),
      nowMs,
    }));
    return {
      names: ["The call in the form", ...examples.map(({ name }) => name)],
      calls: [{ input: call.input, profile, nowMs }, ...shown],
    };
  }, [shownCall, profile, examples, decision]);
}

/** Takes the keyboard, because the button that opened the draft is gone. */
function DraftTitle({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="card-head">
      <h2 id="draft-title" tabIndex={-1} ref={heading}>
        Draft of {id}
      </h2>
      <span class="tag must">Not active</span>
      <QuietButton onClick={onClose}>Close the draft</QuietButton>
    </div>
  );
}

interface DraftFindingsProps extends Pick<EditedDraft, "draft" | "onChange"> {
  readonly analyzed: AnalyzedDraft;
  readonly columns: readonly GridColumn[];
  /** Goes to a cell. */
  readonly goToRef: RefObject<((place: CellPlace) => void) | null>;
  readonly onTry: TryInput;
}

/** What the analysis found in the draft. A gap becomes a row. */
function DraftFindings({ draft, onChange, analyzed, columns, goToRef, onTry }: DraftFindingsProps) {
  const { analysis, failure } = analyzed;
  const document = useMemo(() => documentOf(analyzed.draft), [analyzed.draft]);
  const show = ({ rules: [id] = [], gap }: Finding) => {
    const box = gap === undefined ? undefined : analysis?.gaps[gap]?.box;
    if (box !== undefined) {
      onChange(withRow(draft, box));
      goToRef.current?.({ row: draft.rows.length, column: 1 + draft.head.inputs.length });
      return;
    }
    const row = draft.rows.findIndex(({ values }) => values[0] === id);
    if (row >= 0) goToRef.current?.({ row, column: 0 });
  };
  return (
    <div class={analyzed.draft === draft ? "draft-part" : "draft-part old"}>
      <h3>Gaps and overlaps</h3>
      <Findings
        {...{ document, columns, onTry }}
        known={{ analysis, unanalyzed: failure }}
        gapAction="Add row"
        onShow={show}
      />
    </div>
  );
}

/** Why a draft cannot be published now. The server checks it again. */
function hindranceOf(
  checked: CheckedDraft | undefined,
  analyzed: AnalyzedDraft | undefined,
  draft: Draft,
  { contentHash }: DocsDecision,
): string | undefined {
  if (checked?.draft !== draft) return "The draft is being checked.";
  if (checked.hash === undefined) return "Some cells cannot be read.";
  if (checked.hash === contentHash) return "The draft is the served table.";
  const isForbidden = analyzed?.draft === draft && analyzed.analysis?.overlaps.some(({ isError }) => isError);
  return isForbidden === true ? "Rows overlap that the policy does not allow to." : undefined;
}
