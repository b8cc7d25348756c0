import "../styles/edit.css";
import "../styles/draft.css";
import type { TableDocument } from "@decern/table/browser";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Draft, documentOf, withRow } from "../draft/draft.js";
import type { SharedCall } from "../model/call.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import type { WorkedExample } from "../model/examples.js";
import type { TryInput } from "../table/grid-row.js";
import type { CellPlace } from "../table/grid-window.js";
import { Findings } from "../table/table-card.js";
import { profileOf, useSame } from "../table/use-table.js";
import { DraftGrid, editColumns } from "./draft-grid.js";
import { DraftHandover } from "./draft-handover.js";
import { DraftHead } from "./draft-head.js";
import { DraftNotices } from "./draft-notices.js";
import { DraftRecords } from "./draft-records.js";
import { DraftResults } from "./draft-results.js";
import {
  type AnalyzedDraft,
  type CheckedDraft,
  useAnalyzed,
  useChecked,
  useDraft,
  useDraftClient,
} from "./use-draft.js";

export interface DraftSectionProps {
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
  const { decision, content, call, examples, profileMerge, apiKey, records, publishes, onTry, onClose } =
    props;
  // Holds: by its media type it is the canonical document that @decern/table wrote.
  const document = content.document as TableDocument;
  const kept = useDraft(decision, document);
  const { past, now, future } = kept.steps;
  const client = useDraftClient(decision, content);
  const profile = useSame(profileOf(decision, call, profileMerge));
  const shownCall = useSame(call);
  const { names, calls } = useMemo(() => {
    const nowMs = Date.now();
    const form = { name: "The call in the form", input: call.input, profile };
    const shown = examples.map(({ name, input, profile: own }) => ({
      name,
      input,
      profile: profileOf(decision, own === undefined ? { input } : { input, profile: own }, profileMerge),
    }));
    const all = [form, ...shown];
    return {
      names: all.map(({ name }) => name),
      calls: all.map(({ input, profile }) => ({ input, profile, nowMs })),
    };
  }, [shownCall, profile, examples, decision]);
  const checked = useChecked(client, now, calls);
  const isReadable = checked?.hash !== undefined;
  const analyzed = useAnalyzed(decision, content, isReadable ? checked.draft : undefined, profile);
  const columns = useMemo(() => editColumns(now, decision), [now.head, decision]);
  const goTo = useRef<((place: CellPlace) => void) | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const documentNow = useMemo(
    () => (analyzed === undefined ? undefined : documentOf(analyzed.draft)),
    [analyzed?.draft],
  );
  return (
    <section class="card table-card draft-card" aria-labelledby="draft-title">
      <div class="card-head">
        <h2 id="draft-title" tabIndex={-1} ref={heading}>
          Draft of {decision.id}
        </h2>
        <span class="tag must">Not active</span>
        <button type="button" class="quiet" onClick={onClose}>
          Close the draft
        </button>
      </div>
      <p class="too-narrow stale">Editing needs a wider window. The draft is kept.</p>
      <DraftNotices kept={kept} version={decision.version} />
      <DraftHead
        draft={now}
        checked={checked}
        version={decision.version}
        isChanged={checked?.hash !== decision.contentHash && checked !== undefined}
        onChange={kept.change}
      />
      <DraftGrid
        {...{ columns, client, checked }}
        draft={now}
        canUndo={past.length > 0}
        canRedo={future.length > 0}
        onChange={kept.change}
        onUndo={kept.undo}
        onRedo={kept.redo}
        goToRef={goTo}
      />
      {documentNow === undefined || !isReadable ? null : (
        <div class={analyzed?.draft === now ? "draft-part" : "draft-part old"}>
          <h3>Gaps and overlaps</h3>
          <Findings
            known={{ analysis: analyzed?.analysis, unanalyzed: analyzed?.failure }}
            document={documentNow}
            columns={columns}
            onTry={onTry}
            gapAction="Add row"
            onShow={({ rules: [id] = [], gap }) => {
              const box = gap === undefined ? undefined : analyzed?.analysis?.gaps[gap]?.box;
              if (box !== undefined) {
                kept.change(withRow(now, box));
                goTo.current?.({ row: now.rows.length, column: 1 + now.head.inputs.length });
                return;
              }
              const row = now.rows.findIndex(({ values }) => values[0] === id);
              if (row >= 0) goTo.current?.({ row, column: 0 });
            }}
          />
        </div>
      )}
      <DraftResults names={names} results={checked?.results ?? []} isOld={checked?.draft !== now} />
      {records === undefined ? null : (
        <DraftRecords {...{ decision, content, apiKey, records, isReadable }} draft={now} />
      )}
      <DraftHandover
        {...{ client, apiKey, publishes }}
        id={decision.id}
        version={decision.version}
        draft={now}
        basedOn={kept.basedOn}
        hindrance={hindranceOf(checked, analyzed, now, decision)}
      />
    </section>
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
