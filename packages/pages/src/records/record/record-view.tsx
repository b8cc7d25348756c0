import { Ladder } from "../../answer/ladder.js";
import { UsedDecisions } from "../../answer/used-decisions.js";
import type { RecordDetail } from "../../model/data.js";
import { CopyButton } from "../../parts/copy-button.js";
import { JsonCode } from "../../parts/json-code.js";
import { asExample, asTest, canBeTested } from "../model/as-code.js";
import { recordLadder } from "../model/record-ladder.js";
import { type RecordedCall, recordedCall } from "../model/recorded-call.js";
import { utcTime } from "../model/times.js";
import { Rerun } from "../rerun/rerun.js";
import { CallerCard } from "./caller-card.js";
import { ProofCard } from "./proof-card.js";
import { RemovedCard } from "./removed-card.js";
import { RevisionCard } from "./revision-card.js";
import { Verdict } from "./verdict.js";

interface RecordViewProps {
  readonly detail: RecordDetail;
  readonly apiKey: string;
}

/** One record: the verdict and its reason first, then everything that led to it. */
export function RecordView({ detail, apiKey }: RecordViewProps) {
  const { record, profile, decision } = detail;
  const { id, version } = record.decision;
  const call = recordedCall(record);
  const ruleIds = decision?.ruleIds ?? null;
  const isOwn = call !== undefined && call.profile !== undefined;
  return (
    <article class="record">
      <header>
        <div class="title">
          <h1>{id}</h1>
          <span class="version">{version}</span>
          {record.selectedBy === "shadow" ? <span class="tag">shadow</span> : null}
        </div>
        <p class="record-when">
          <time dateTime={record.recordedAt}>{utcTime(record.recordedAt)} UTC</time>
          {record.caller === undefined ? null : <span>asked by {record.caller}</span>}
          <code>{record.recordId}</code>
        </p>
        <div class="actions">
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
      {call === undefined ? <Gone masked={record.masked} /> : null}
      <div class="record-columns">
        <div class="record-column">
          <section class="card outcome" aria-labelledby="outcome-title">
            <div class="card-head">
              <h2 id="outcome-title">Outcome</h2>
            </div>
            <Verdict status={record.status} matchedRule={record.matchedRule} call={call} />
            <Ladder rungs={recordLadder(record, call, ruleIds)} />
            {ruleIds === null ? (
              <p class="field-description">
                Version {version} is not served any more, so rules that were not reached are not known.
              </p>
            ) : null}
            {record.status === "ERROR" ? (
              <p class="field-description">The record does not tell how far the rules got.</p>
            ) : null}
            {call?.trace === undefined ? null : <UsedDecisions trace={call.trace} />}
          </section>
          <CallerCard record={record} />
        </div>
        <div class="record-column">
          <Input call={call} />
          <RevisionCard
            version={version}
            build={record.build}
            profileHash={record.profileHash}
            profile={isOwn ? call.profile : profile}
            isOwn={isOwn}
          />
          <RemovedCard masked={record.masked} />
          <ProofCard record={record} />
        </div>
      </div>
      <Rerun detail={detail} call={call} apiKey={apiKey} />
    </article>
  );
}

function Input({ call }: { readonly call: RecordedCall | undefined }) {
  if (call === undefined) return null;
  return (
    <section class="card" aria-labelledby="input-title">
      <div class="card-head">
        <h2 id="input-title">Input</h2>
      </div>
      <JsonCode value={call.input} label="Input as recorded" />
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
