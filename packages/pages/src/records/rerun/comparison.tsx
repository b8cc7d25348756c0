import { Rungs } from "../../answer/rungs.js";
import { UsedDecisions } from "../../answer/used-decisions.js";
import type { RecordDetail, Reevaluation } from "../../model/data.js";
import { isObject, textOf } from "../../model/json.js";
import { evaluatedRungs, toneOf } from "../../model/reply.js";
import { Icon } from "../../parts/icons.js";
import { differencesOf, type Outcome } from "../model/differences.js";
import { type RecordedCall, traceOf } from "../model/recorded-call.js";
import { DifferenceTable } from "./difference-table.js";

interface ComparisonProps {
  readonly detail: RecordDetail;
  readonly call: RecordedCall;
  readonly reevaluation: Reevaluation;
}

/** Two outcomes side by side: as recorded, and as evaluated again. */
export function Comparison({ detail: { record }, call, reevaluation }: ComparisonProps) {
  const { envelope, error, revision } = reevaluation;
  const before: Outcome = { status: record.status, envelope: call.envelope, error: call.error };
  const status = (isObject(envelope) ? textOf(envelope, "status") : undefined) ?? "ERROR";
  const after: Outcome = { status, envelope, error };
  const differences = differencesOf(before, after);
  const trace = traceOf(reevaluation.used);
  return (
    <div class="comparison">
      <Finding reevaluation={reevaluation} />
      <DifferenceTable differences={differences} />
      <div class="sides">
        <Side
          title="Rules as recorded"
          version={record.decision.version}
          profileHash={record.profileHash}
          outcome={before}
        />
        <Side
          title="Rules evaluated again"
          version={revision.version}
          profileHash={revision.profileHash}
          outcome={after}
        />
      </div>
      {trace === undefined ? null : (
        <UsedDecisions trace={trace} title="Decisions used when evaluated again" />
      )}
    </div>
  );
}

/** One sentence: whether the outcome is the same. */
function Finding({ reevaluation: { unchanged, inconclusive } }: Pick<ComparisonProps, "reevaluation">) {
  const state = inconclusive === true ? "open" : unchanged ? "good" : "bad";
  const icon = inconclusive === true ? "warn" : unchanged ? "check" : "change";
  return (
    <p class={`finding ${state}`} role="status">
      <Icon name={icon} />
      <span>
        {inconclusive === true ? (
          <>
            <strong>Inconclusive.</strong> Values were removed before the record was written, so the outcome
            may differ for that reason.
          </>
        ) : unchanged ? (
          <>
            <strong>Unchanged.</strong> The outcome, the rule and the output are those of the record.
          </>
        ) : (
          <>
            <strong>Changed.</strong> The outcome, the rule or the output differs from the record.
          </>
        )}
      </span>
    </p>
  );
}

interface SideProps {
  readonly title: string;
  readonly version: string;
  readonly profileHash: string;
  readonly outcome: Outcome;
}

function Side({ title, version, profileHash, outcome: { status, envelope } }: SideProps) {
  const rungs = evaluatedRungs(envelope);
  return (
    <section class="side" aria-label={title}>
      <h3>
        {title} <span class="version">{version}</span>
      </h3>
      <p class="field-description">
        Profile <code>{profileHash}</code>
      </p>
      {rungs.length === 0 ? (
        <p>
          <strong class={`status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
          <span class="aside">No rule was evaluated.</span>
        </p>
      ) : (
        <Rungs rungs={rungs} />
      )}
    </section>
  );
}
