import type { DecisionRecord, SelectedBy } from "@decern/core";
import { CopyButton } from "../../parts/copy-button.js";
import { durationText, localTime, utcTime } from "../model/times.js";
import { Facts } from "./facts.js";

const selections: Readonly<Record<SelectedBy, string>> = {
  default: "The service, as its default version",
  path: "The caller, who named this version",
  select: "The service, for this call",
  shadow: "Nobody: a shadow evaluation, whose outcome no caller got",
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
          { name: "Caller", value: caller ?? "Nobody was asked" },
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
