import { Rungs } from "../answer/rungs.js";
import { UsedDecisions } from "../answer/used-decisions.js";
import { isObject, textOf } from "../json/values.js";
import type { RecordDetail, Reevaluation } from "../model/data.js";
import { evaluatedRungs, toneOf } from "../model/reply.js";
import { Removed, removedText } from "../model/trace.js";
import { Icon } from "../parts/controls.js";
import { type Difference, differencesOf, type Outcome } from "./differences.js";
import { type RecordedCall, traceOf } from "./recorded-call.js";

const words = { same: "Same", changed: "Changed", unknown: "Not known" } as const;

const icons = { same: "check", changed: "change", unknown: "warn" } as const;

/** Every place of two outcomes, with a word for what became of it. */
function DifferenceTable({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <table class="differences">
      <caption class="hidden">The outcome as recorded, and as evaluated again</caption>
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">As recorded</th>
          <th scope="col">Evaluated again</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ name, before, after, state }) => (
          <tr key={name} class={state}>
            <th scope="row">{name.startsWith("/") ? <code>{name}</code> : name}</th>
            <td data-side="As recorded">
              <ShownValue value={before} />
            </td>
            <td data-side="Evaluated again">
              <ShownValue value={after} />
            </td>
            <td>
              <span class="difference">
                <Icon name={icons[state]} />
                {words[state]}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ShownValue({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="absent">(nothing)</span>;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  if (typeof value === "string") return <span>{value === "" ? "(empty)" : value}</span>;
  return <code>{isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)}</code>;
}

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
