import { useRef, useState } from "preact/hooks";
import type { RecordDetail, Reevaluation } from "../model/data.js";
import { failureText } from "../service/api.js";
import { Comparison } from "./comparison.js";
import type { RecordedCall } from "./recorded-call.js";
import { reevaluate } from "./records-api.js";
import { firstVersion, RerunForm, type Rerunning, requestOf } from "./rerun-form.js";

interface RerunProps {
  readonly detail: RecordDetail;
  readonly call: RecordedCall | undefined;
  readonly apiKey: string;
}

/** Evaluates the recorded call again, with another version or profile, and compares the outcomes. */
export function Rerun({ detail, call, apiKey }: RerunProps) {
  const { decision, record } = detail;
  const first = decision === null ? undefined : firstVersion(decision, record.decision.version);
  return (
    <section class="card rerun" aria-labelledby="rerun-title">
      <div class="card-head">
        <h2 id="rerun-title">What would another version or profile say?</h2>
      </div>
      {call === undefined ? (
        <p class="field-description">This call cannot be evaluated again: what the caller sent is gone.</p>
      ) : decision === null || first === undefined ? (
        <p class="field-description">
          This call cannot be evaluated again: the service has no decision {record.decision.id} any more.
        </p>
      ) : (
        <Again decision={decision} firstVersion={first} detail={detail} call={call} apiKey={apiKey} />
      )}
    </section>
  );
}

interface AgainProps extends RerunProps {
  readonly call: RecordedCall;
  readonly decision: NonNullable<RecordDetail["decision"]>;
  readonly firstVersion: string;
}

type Answer = { readonly reevaluation: Reevaluation } | { readonly problem: string };

function Again({ decision, firstVersion: version, detail, call, apiKey }: AgainProps) {
  const { record } = detail;
  const recordedProfile = record.payload?.profile ?? detail.profile;
  const [rerunning, setRerunning] = useState<Rerunning>({
    version,
    profile: { kind: "recorded" },
    edited: { value: recordedProfile ?? {} },
  });
  const [answer, setAnswer] = useState<Answer>();
  const [busy, setBusy] = useState(false);
  // A result of a form that has changed since compares something else.
  const asked = useRef(0);
  const change = (next: Rerunning) => {
    asked.current += 1;
    setAnswer(undefined);
    setBusy(false);
    setRerunning(next);
  };
  const send = async () => {
    if (busy) return;
    setBusy(true);
    asked.current += 1;
    const mine = asked.current;
    const settled = await ask(record.recordId, rerunning, apiKey);
    if (asked.current !== mine) return;
    setAnswer(settled);
    setBusy(false);
  };
  return (
    <>
      <RerunForm
        decision={decision}
        recordedVersion={record.decision.version}
        value={rerunning}
        busy={busy}
        onChange={change}
        onSend={() => void send()}
      />
      {answer !== undefined && "problem" in answer ? (
        <p class="field-error" role="alert">
          {answer.problem}
        </p>
      ) : null}
      {answer !== undefined && "reevaluation" in answer ? (
        <Comparison detail={detail} call={call} reevaluation={answer.reevaluation} />
      ) : null}
    </>
  );
}

async function ask(recordId: string, rerunning: Rerunning, key: string): Promise<Answer> {
  try {
    return { reevaluation: await reevaluate(recordId, requestOf(rerunning), key) };
  } catch (error) {
    return { problem: failureText(error) };
  }
}
