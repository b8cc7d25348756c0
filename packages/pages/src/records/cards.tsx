import type { DecisionRecord, SelectedBy } from "@decern/core";
import type { ComponentChildren } from "preact";
import { DataList } from "../answer/answer.js";
import type { JsonObject } from "../json/values.js";
import { durationText, localTime, utcTime } from "../model/dates.js";
import { CopyButton } from "../parts/controls.js";

interface Fact {
  readonly name: string;
  /** Undefined leaves the fact out. */
  readonly value: ComponentChildren;
}

/** Names and values, one below the other. */
function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value }) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

const selections: Readonly<Record<SelectedBy, string>> = {
  default: "The service, as its default version",
  path: "The caller, who named this version",
  select: "The service, for this call",
  shadow: "No caller: a shadow evaluation, whose result was not sent",
};

/** Who asked, when, and how the version was chosen. */
export function CallerCard({ record }: { readonly record: DecisionRecord }) {
  const { recordedAt, caller, requestId, traceparent, selectedBy, durationSeconds, sampleRate } = record;
  const local = localTime(recordedAt);
  return (
    <section class="card" aria-labelledby="caller-title">
      <div class="card-head">
        <h2 id="caller-title">Who asked, and when</h2>
      </div>
      <Facts
        facts={[
          {
            name: "When",
            value: (
              <>
                <time dateTime={recordedAt}>{utcTime(recordedAt)} UTC</time>
                {local === undefined ? null : <span class="aside">{local}</span>}
              </>
            ),
          },
          { name: "Caller", value: caller ?? "Not known" },
          {
            name: "Request id",
            value: (
              <span class="copyable">
                <code>{requestId}</code>
                <CopyButton label="Copy" text={() => requestId} />
              </span>
            ),
          },
          { name: "Trace", value: traceparent === undefined ? undefined : <code>{traceparent}</code> },
          { name: "Chosen by", value: selections[selectedBy] },
          { name: "Duration", value: durationText(durationSeconds) },
          { name: "Kept", value: sampleText(sampleRate) },
        ]}
      />
    </section>
  );
}

function sampleText(rate: number): string {
  if (rate >= 1) return "Every call like this one";
  return `${Number((rate * 100).toPrecision(3))} % of calls like this one`;
}

/** The hashes that chain the record to the one before it. */
export function ProofCard({ record }: { readonly record: DecisionRecord }) {
  const { recordId, recordVersion, subject, payloadHash, previousHash, hash } = record;
  return (
    <details class="card proof">
      <summary class="unfolds">
        <h2>Hashes</h2>
      </summary>
      <Facts
        facts={[
          { name: "Record id", value: <code>{recordId}</code> },
          { name: "Record version", value: <code>{recordVersion}</code> },
          { name: "Person (keyed hash)", value: subject === undefined ? undefined : <code>{subject}</code> },
          { name: "Payload hash", value: <code>{payloadHash}</code> },
          {
            name: "Previous hash",
            value: previousHash === null ? "None: first of its chain" : <code>{previousHash}</code>,
          },
          { name: "Hash", value: <code>{hash}</code> },
        ]}
      />
    </details>
  );
}

/** One mask may remove thousands of values. */
const shownPointers = 100;

/** Where values were removed before the record was written. */
export function RemovedCard({ masked }: { readonly masked: readonly string[] }) {
  if (masked.length === 0) return null;
  return (
    <section class="card" aria-labelledby="removed-title">
      <div class="card-head">
        <h2 id="removed-title">Removed before writing</h2>
        <span class="count-tag">{masked.length}</span>
      </div>
      <ul class="pointers">
        {masked.slice(0, shownPointers).map((pointer) => (
          <li key={pointer}>
            <code>{pointer === "" ? "(all data of the call)" : pointer}</code>
          </li>
        ))}
      </ul>
      {masked.length > shownPointers ? (
        <p class="field-description">And {masked.length - shownPointers} more.</p>
      ) : null}
    </section>
  );
}

interface RevisionCardProps {
  readonly record: DecisionRecord;
  /** Undefined where it is not kept. */
  readonly profile: unknown;
  /** Whether the caller sent it. */
  readonly isOwn: boolean;
  readonly schema: JsonObject;
}

/** What decided: the version, the build and the profile. */
export function RevisionCard({ record, profile, isOwn, schema }: RevisionCardProps) {
  const { decision, build, contentHash, decisionRevision, profileHash, profileRevision } = record;
  const code = (text: string | undefined) => (text === undefined ? undefined : <code>{text}</code>);
  return (
    <section class="card" aria-labelledby="revision-title">
      <div class="card-head">
        <h2 id="revision-title">Revision</h2>
      </div>
      <Facts
        facts={[
          { name: "Version", value: code(decision.version) },
          { name: "Build", value: code(build) },
          { name: "Decision set", value: code(decisionRevision) },
          { name: "Content hash", value: code(contentHash) },
          { name: "Profile", value: isOwn ? "Sent by the caller" : "The service's" },
          { name: "Profile set", value: isOwn ? undefined : code(profileRevision) },
          { name: "Profile hash", value: code(profileHash) },
        ]}
      />
      {profile === undefined ? (
        <p class="field-description">The profile is not kept. Its hash tells it from others.</p>
      ) : (
        <DataList data={profile} schema={schema} />
      )}
    </section>
  );
}
