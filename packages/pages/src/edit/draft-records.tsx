import { useState } from "preact/hooks";
import type { Draft } from "../draft/draft.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { utcTime } from "../model/dates.js";
import { QuietButton } from "../parts/controls.js";
import { spans } from "../service/records.js";
import { SpanSelect, useReading } from "../table/row-hits.js";
import { type Comparison, comparisons, comparisonText, countOf, mostChanges } from "./comparison.js";
import { DraftClient } from "./draft-client.js";
import { ChangedResult } from "./draft-results.js";

interface DraftRecordsProps {
  readonly decision: DocsDecision;
  readonly content: DocsContent;
  readonly draft: Draft;
  readonly isReadable: boolean;
  readonly apiKey: string;
  /** Where the page of records is. */
  readonly records: string;
}

/** Compares a draft with what the service recorded. The browser evaluates; the service only reads records. */
export function DraftRecords({ decision, content, draft, isReadable, apiKey, records }: DraftRecordsProps) {
  const [days, setDays] = useState<number>(spans[0]);
  const [comparison, setComparison] = useState<Comparison>();
  const { isRunning, problem, start, stop } = useReading(async (stopping) => {
    setComparison(undefined);
    const client = new DraftClient(decision, content);
    try {
      for await (const soFar of comparisons(client, draft, { decision, days, apiKey, stopping }))
        setComparison(soFar);
    } finally {
      client.end();
    }
  });
  const isOld = comparison !== undefined && comparison.draft !== draft;
  const told = comparison === undefined ? "" : comparisonText(comparison);
  return (
    <section class={isOld ? "draft-part old" : "draft-part"} aria-labelledby="draft-records-title">
      <h3 id="draft-records-title">Would this have changed past results?</h3>
      <p class="draft-choices">
        <SpanSelect label="Records of the last" days={days} onChange={setDays} />
        <QuietButton isOff={!isReadable && !isRunning} onClick={isRunning ? stop : start}>
          {isRunning ? "Stop" : "Compare"}
        </QuietButton>
      </p>
      <p class="findings-status" role="status">
        {isRunning
          ? `${countOf(comparison).toLocaleString("en")} records read…`
          : `${told}${isOld ? " The draft has changed since." : ""}`}
      </p>
      {problem === undefined ? null : <p role="alert">The records could not be read: {problem}</p>}
      <Changes comparison={comparison} records={records} />
    </section>
  );
}

interface ChangesProps extends Pick<DraftRecordsProps, "records"> {
  readonly comparison: Comparison | undefined;
}

/** The newest results that would have been others. */
function Changes({ comparison, records }: ChangesProps) {
  if (comparison === undefined || comparison.changes.length === 0) return null;
  return (
    <>
      <ul class="draft-results">
        {comparison.changes.map(({ record, before, after }) => (
          <li key={record.recordId} class="changed">
            <a class="draft-call" href={`${records}#/${record.recordId}`}>
              {utcTime(record.recordedAt)}, {record.decision.version}
            </a>
            <ChangedResult before={before} after={after} />
          </li>
        ))}
      </ul>
      {comparison.changed > mostChanges ? (
        <p class="field-description">The newest {mostChanges} are listed.</p>
      ) : null}
    </>
  );
}
