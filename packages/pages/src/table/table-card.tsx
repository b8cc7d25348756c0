import type { TableAnalysis, TableDocument } from "@decern/table/browser";
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { DocsDecision } from "../model/data.js";
import { Prose } from "../parts/code.js";
import { QuietButton } from "../parts/controls.js";
import { columnsOf, type GridColumn } from "./columns.js";
import { countsOf, type Finding, findingsOf, provenOf } from "./findings.js";
import type { TryInput } from "./grid-row.js";
import { policyTexts } from "./marked-rows.js";
import { HitCounter, type RowHits } from "./row-hits.js";
import { rowOf, TableGrid } from "./table-grid.js";
import type { KnownTable } from "./use-table.js";

interface TableCardProps {
  readonly decision: DocsDecision;
  readonly document: TableDocument;
  readonly known: KnownTable;
  /** Whether what is known is about to be replaced. */
  readonly isOld: boolean;
  readonly onTry: TryInput;
  readonly children: ComponentChildren;
  /** The key for records. Undefined where there are none. */
  readonly recordsKey: string | undefined;
}

/** The table of a decision: its policy, its rows next to the result on screen, and what the analysis found. */
export function TableCard({ decision, document, known, isOld, onTry, children, recordsKey }: TableCardProps) {
  const { analysis, marked, unmarked } = known;
  const [joined, setJoined] = useState<readonly string[]>([]);
  const goTo = useRef<((row: number) => void) | null>(null);
  const [hits, setHits] = useState<RowHits>();
  const columns = useColumns(document, decision, hits?.days);
  const { hitPolicy, rules } = document;
  const gaps = analysis?.gaps ?? [];
  const [decider] = marked?.decides ?? [];
  const show = ({ rules: ids = [], gap, kind }: Finding) => {
    setJoined(kind === "overlap" ? ids : []);
    goTo.current?.(gap === undefined ? rowOf(document, gaps.length, ids[0] ?? "") : rules.length + gap);
  };
  return (
    <section class={isOld ? "card table-card old" : "card table-card"} aria-labelledby="table-title">
      <div class="card-head">
        <h2 id="table-title">Decision table</h2>
        {isOld && marked !== undefined ? <span class="tag updating">Marks of the last call</span> : null}
        <QuietButton
          isOff={decider === undefined}
          onClick={() => decider === undefined || goTo.current?.(rowOf(document, gaps.length, decider))}
        >
          Go to the deciding row
        </QuietButton>
        {children}
      </div>
      <p class="policy">
        <span class="tag must">Policy {hitPolicy}</span> {sentence(policyTexts[hitPolicy])}{" "}
        {rules.length.toLocaleString("en")} {rules.length === 1 ? "row" : "rows"}.
      </p>
      {unmarked === undefined ? null : <p class="stale">{unmarked}</p>}
      {recordsKey === undefined ? null : (
        <HitCounter
          {...{ decision, hits }}
          policy={hitPolicy}
          rows={rules.map(({ id }) => id)}
          apiKey={recordsKey}
          onHits={setHits}
        />
      )}
      <div class="table-body">
        <TableGrid
          {...{ document, columns, marked, gaps, joined, onTry }}
          hits={hits?.byRow}
          goToRef={goTo}
        />
        <Findings {...{ known, document, columns, onTry }} onShow={show} />
      </div>
    </section>
  );
}

/** The columns of a table; next to the ids, how often rows decided in these days, once they were counted. */
function useColumns(document: TableDocument, decision: DocsDecision, days: number | undefined) {
  return useMemo(() => {
    const [id, ...others] = columnsOf(document, decision);
    if (days === undefined || id === undefined) return columnsOf(document, decision);
    return [id, { kind: "hits", place: 0, label: `Hits, ${days} days`, width: 10 } as const, ...others];
  }, [document, decision, days]);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

interface FindingsProps {
  readonly known: Pick<KnownTable, "analysis" | "unanalyzed">;
  readonly document: TableDocument;
  readonly columns: readonly GridColumn[];
  readonly onTry: TryInput;
  readonly onShow: (finding: Finding) => void;
  /** What the button of a gap is called. @default "Show" */
  readonly gapAction?: string;
}

const shownAtFirst = 3;

/** What the analysis found, and what it proved. Nothing is called complete that it did not decide. */
export function Findings({
  known: { analysis, unanalyzed },
  document,
  columns,
  onTry,
  onShow,
  gapAction = "Show",
}: FindingsProps) {
  const [all, setAll] = useState(false);
  const findings = useMemo(
    () => (analysis === undefined ? [] : findingsOf(analysis, document, columns)),
    [analysis, document, columns],
  );
  if (analysis === undefined) {
    return (
      <p class="findings-status" role="status">
        {unanalyzed ?? "Looking for gaps and overlaps…"}
      </p>
    );
  }
  // Overlaps that the policy allows are how the table is meant.
  const remarkable = findings.filter(({ kind, isError }) => kind !== "overlap" || isError === true);
  const shown = all ? findings : remarkable.slice(0, shownAtFirst);
  return (
    <div class={all ? "findings all" : "findings"}>
      <p class="findings-status" role="status">
        {statusOf(analysis, document, findings)}
      </p>
      {shown.length === 0 ? null : (
        <ul>
          {shown.map((finding) => (
            <FindingItem key={finding.text} {...{ finding, onTry, onShow, gapAction }} />
          ))}
        </ul>
      )}
      {findings.length > shown.length ? (
        <QuietButton onClick={() => setAll(true)}>
          {`Show ${findings.length - shown.length} more`}
        </QuietButton>
      ) : null}
    </div>
  );
}

function statusOf(analysis: TableAnalysis, document: TableDocument, findings: readonly Finding[]): string {
  const counts = countsOf(findings);
  const proven = provenOf(analysis, document);
  return [...(counts === "" ? [] : [`${counts}.`]), ...(proven === undefined ? [] : [proven])].join(" ");
}

interface FindingItemProps extends Required<Pick<FindingsProps, "onTry" | "onShow" | "gapAction">> {
  readonly finding: Finding;
}

function FindingItem({ finding, onTry, onShow, gapAction }: FindingItemProps) {
  const { text, isError, witness, rules, gap } = finding;
  const plain = text.replaceAll("`", "");
  return (
    <li class={isError ? "finding bad" : "finding"}>
      <span class="finding-text">
        <Prose text={text} />
      </span>
      <span class="finding-actions">
        {witness === undefined ? null : (
          <QuietButton onClick={() => onTry(witness)}>
            Try it<span class="hidden">: {plain}</span>
          </QuietButton>
        )}
        {rules === undefined && gap === undefined ? null : (
          <QuietButton onClick={() => onShow(finding)}>
            {gap === undefined ? "Show" : gapAction}
            <span class="hidden">: {plain}</span>
          </QuietButton>
        )}
      </span>
    </li>
  );
}
