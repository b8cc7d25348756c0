import { useEffect, useRef } from "preact/hooks";
import { Answer, DataList } from "../answer/answer.js";
import { deciding, Ladder } from "../answer/rungs.js";
import { UsedDecisions } from "../answer/used-decisions.js";
import { pretty } from "../json/values.js";
import { toFragment } from "../model/call.js";
import type { RecordDetail } from "../model/data.js";
import { utcTime } from "../model/dates.js";
import { CopyButton, Icon } from "../parts/controls.js";
import { docsPage } from "../parts/page-head.js";
import { LoadFailure } from "../service/access.js";
import { useLoaded } from "../service/api.js";
import { asExample, asTest, canBeTested } from "./as-text.js";
import { CallerCard, ProofCard, RemovedCard, RevisionCard } from "./cards.js";
import { type RecordedCall, recordedCall, recordLadder, replyOf } from "./recorded-call.js";
import { loadRecord } from "./records-api.js";
import { Rerun } from "./rerun.js";
import { everything, toSearchFragment } from "./search.js";

interface RecordViewProps {
  readonly detail: RecordDetail;
  readonly apiKey: string;
}

/** One record: the result and its reason first, then everything that led to it. */
function RecordView({ detail, apiKey }: RecordViewProps) {
  const { record, profile } = detail;
  const call = recordedCall(record);
  const isOwn = call !== undefined && call.profile !== undefined;
  return (
    <article class="record">
      <RecordHead detail={detail} call={call} />
      {call === undefined ? <Gone masked={record.masked} /> : null}
      <div class="record-columns">
        <div class="record-column">
          <OutcomeCard detail={detail} call={call} />
          <CallerCard record={record} />
        </div>
        <div class="record-column">
          <Input detail={detail} call={call} />
          <RevisionCard
            record={record}
            profile={isOwn ? call.profile : profile}
            isOwn={isOwn}
            schema={detail.decision?.recorded?.profileSchema ?? {}}
          />
          <RemovedCard masked={record.masked} />
          <ProofCard record={record} />
        </div>
      </div>
      <Rerun detail={detail} call={call} apiKey={apiKey} />
    </article>
  );
}

interface RecordPartProps {
  readonly detail: RecordDetail;
  readonly call: RecordedCall | undefined;
}

/** What was decided, when, for which caller, and copies of it. */
function RecordHead({ detail, call }: RecordPartProps) {
  const { record } = detail;
  return (
    <header>
      <div class="title">
        <h1>{record.decision.id}</h1>
        <span class="version">{record.decision.version}</span>
        {record.selectedBy === "shadow" ? <span class="tag">shadow</span> : null}
      </div>
      <p class="record-when">
        <time dateTime={record.recordedAt}>{utcTime(record.recordedAt)} UTC</time>
        {record.caller === undefined ? null : <span>asked by {record.caller}</span>}
        <code>{record.recordId}</code>
      </p>
      <div class="actions">
        <TryItLink detail={detail} call={call} />
        <CopyButton label="Copy link" icon="link" done="Link copied" text={() => location.href} />
        {call === undefined ? null : (
          <CopyButton label="Copy as example" done="Example copied" text={() => asExample(detail)} />
        )}
        {canBeTested(record) ? (
          <CopyButton label="Copy as test" done="Test copied" text={() => asTest(detail)} />
        ) : null}
      </div>
      {call !== undefined && record.masked.length > 0 ? (
        <p class="field-description">Copies lack what was removed before writing.</p>
      ) : null}
    </header>
  );
}

/** Opens the docs page with the recorded call in its form. What was removed is missing there. */
function TryItLink({ detail: { record, decision }, call }: RecordPartProps) {
  const docs = docsPage();
  const { input, profile } = record.payload ?? {};
  if (docs === undefined || call === undefined || (decision?.recorded ?? null) === null) return null;
  const { id, version } = record.decision;
  const fragment = toFragment(id, { input, ...(profile === undefined ? {} : { profile }) }, version);
  return (
    <a class="quiet" href={`${docs}${fragment}`}>
      <Icon name="play" />
      Open in Try it
    </a>
  );
}

/** The headline and the output, the rules that led to them, and the decisions that they used. */
function OutcomeCard({ detail: { record, decision }, call }: RecordPartProps) {
  const recorded = decision?.recorded ?? null;
  return (
    <section class="card outcome" aria-labelledby="outcome-title">
      <div class="card-head">
        <h2 id="outcome-title">Outcome</h2>
      </div>
      <Answer
        reply={replyOf(record, call)}
        meta={recorded?.meta}
        outputSchema={recorded?.outputSchema ?? {}}
      />
      <Ladder
        {...(record.contentHash === undefined ? {} : { title: deciding })}
        rungs={recordLadder(record, call, recorded?.ruleIds ?? null)}
        descriptions={recorded?.ruleDescriptions}
      />
      {recorded === null ? (
        <p class="field-description">
          Version {record.decision.version} is not served any more, so rules that were not reached are not
          known.
        </p>
      ) : null}
      {record.status === "ERROR" ? (
        <p class="field-description">The record does not tell how far the rules got.</p>
      ) : null}
      {call?.trace === undefined ? null : <UsedDecisions trace={call.trace} />}
    </section>
  );
}

function Input({ detail: { decision }, call }: RecordPartProps) {
  if (call === undefined) return null;
  return (
    <section class="card" aria-labelledby="input-title">
      <div class="card-head">
        <h2 id="input-title">Input</h2>
        <CopyButton label="Copy as JSON" text={() => pretty(call.input)} />
      </div>
      <DataList data={call.input} schema={decision?.recorded?.inputSchema ?? {}} />
    </section>
  );
}

/** Why a record has no payload. */
function Gone({ masked }: { readonly masked: readonly string[] }) {
  return (
    <p class="gone">
      <strong>{masked.includes("") ? "Data not written." : "Data erased."}</strong>{" "}
      {masked.includes("")
        ? "What was to be removed could not be, so nothing that the caller sent or got was written."
        : "What the caller sent and got was removed for good."}{" "}
      The decision, the outcome, the rule and the hashes remain.
    </p>
  );
}

interface RecordPageProps {
  readonly recordId: string;
  readonly apiKey: string;
  /** The address of the search that was open before. */
  readonly back: string | undefined;
}

/** By the status of a reply without a record. */
const titles: ReadonlyMap<number, string> = new Map([
  [403, "Access denied"],
  [404, "No such record"],
]);

/** Loads one record and shows it. */
export function RecordPage({ recordId, apiKey, back }: RecordPageProps) {
  const loaded = useLoaded(() => loadRecord(recordId, apiKey), `${recordId} ${apiKey}`);
  const main = useRef<HTMLElement>(null);
  // The link that had the focus is hidden now.
  useEffect(() => {
    scrollTo(0, 0);
    if (back !== undefined) main.current?.focus();
  }, [back]);
  return (
    <main class="page" id="main" tabIndex={-1} ref={main}>
      <a class="back" href={back ?? "#/"}>
        <Icon name="back" />
        {back === undefined ? "All records" : "Back to the results"}
      </a>
      {loaded.state === "loading" ? (
        <p class="empty" role="status">
          Loading the record…
        </p>
      ) : null}
      {loaded.state === "failed" ? (
        <section class="missing">
          <h1>{titles.get(loaded.status) ?? "Couldn't load the record"}</h1>
          <LoadFailure failure={loaded} />
          {loaded.status === 404 ? (
            <p>
              It may be the id of a request, or too old to be kept.{" "}
              <a href={toSearchFragment({ ...everything, text: recordId, kind: "request" })}>
                Search for a request with this id
              </a>
            </p>
          ) : null}
        </section>
      ) : null}
      {loaded.state === "ready" ? <RecordView detail={loaded.value} apiKey={apiKey} /> : null}
    </main>
  );
}
