import { Rungs } from "../answer/rungs.js";
import { UsedDecisions } from "../answer/used-decisions.js";
import { DifferenceTable } from "../compare/difference-table.js";
import { type Ending, outcomeDifferences } from "../compare/differences.js";
import { isObject, textOf } from "../json/values.js";
import type { RecordDetail, Reevaluation } from "../model/data.js";
import { evaluatedRungs, toneOf } from "../model/reply.js";
import { Icon } from "../parts/controls.js";
import { type RecordedCall, traceOf } from "./recorded-call.js";

interface ComparisonProps {
  readonly detail: RecordDetail;
  readonly call: RecordedCall;
  readonly reevaluation: Reevaluation;
}

/** Two outcomes side by side: as recorded, and as evaluated again. */
export function Comparison({ detail: { record, decision }, call, reevaluation }: ComparisonProps) {
  const { envelope, error, revision, unchanged } = reevaluation;
  const before: Ending = { status: record.status, body: call.envelope ?? call.error };
  const status = (isObject(envelope) ? textOf(envelope, "status") : undefined) ?? "ERROR";
  const after: Ending = { status, body: envelope ?? error };
  const differences = outcomeDifferences(before, after, decision?.recorded?.outputSchema ?? {}).map((line) =>
    // What decides is the same: then different words are no change.
    unchanged && line.state === "changed" ? ({ ...line, state: "reworded" } as const) : line,
  );
  const trace = traceOf(reevaluation.used);
  return (
    <div class="comparison">
      <Finding
        reevaluation={reevaluation}
        isReworded={differences.some(({ state }) => state === "reworded")}
      />
      <DifferenceTable
        caption="The outcome as recorded, and as evaluated again"
        left="As recorded"
        right="Evaluated again"
        differences={differences}
      />
      <div class="sides">
        <Side
          title="Rules as recorded"
          version={record.decision.version}
          profileHash={record.profileHash}
          ending={before}
        />
        <Side
          title="Rules evaluated again"
          version={revision.version}
          profileHash={revision.profileHash}
          ending={after}
        />
      </div>
      {trace === undefined ? null : (
        <UsedDecisions trace={trace} title="Decisions used when evaluated again" />
      )}
    </div>
  );
}

const findings = {
  inconclusive: { tone: "open", icon: "warn", word: "Inconclusive." },
  unchanged: { tone: "good", icon: "check", word: "Unchanged." },
  changed: { tone: "bad", icon: "change", word: "Changed." },
} as const;

interface FindingProps extends Pick<ComparisonProps, "reevaluation"> {
  /** Whether only words differ. */
  readonly isReworded: boolean;
}

/** One sentence: whether the outcome is the same. */
function Finding({ reevaluation: { unchanged, inconclusive, unread = 0 }, isReworded }: FindingProps) {
  const found = inconclusive === true ? "inconclusive" : unchanged ? "unchanged" : "changed";
  const { tone, icon, word } = findings[found];
  const texts = {
    inconclusive:
      "Values were removed before the record was written. A rule may need them, so the outcome may differ for that reason.",
    unchanged: `The outcome, the rule and the output are those of the record${isReworded ? ", in other words" : ""}.`,
    changed: "The outcome, the rule or the output differs from the record.",
  };
  const about =
    unread === 0
      ? ""
      : ` No rule looked at the ${unread === 1 ? "removed value" : `${unread} removed values`}.`;
  return (
    <p class={`finding ${tone}`} role="status">
      <Icon name={icon} />
      <span>
        <strong>{word}</strong> {texts[found]}
        {about}
      </span>
    </p>
  );
}

interface SideProps {
  readonly title: string;
  readonly version: string;
  readonly profileHash: string;
  readonly ending: Ending;
}

function Side({ title, version, profileHash, ending: { status, body } }: SideProps) {
  const rungs = evaluatedRungs(body);
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
