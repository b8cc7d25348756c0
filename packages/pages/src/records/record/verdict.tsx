import { OutputData } from "../../answer/output-data.js";
import { own } from "../../model/json.js";
import { textOrRemoved } from "../../model/removed.js";
import { issuesIn, metaIn, toneOf } from "../../model/reply.js";
import type { RecordedCall } from "../model/recorded-call.js";

interface VerdictProps {
  readonly status: string;
  readonly matchedRule: string | undefined;
  /** Undefined where the payload is gone. */
  readonly call: Pick<RecordedCall, "envelope" | "error"> | undefined;
}

/** What was decided, by which rule and why, and the output. */
export function Verdict({ status, matchedRule, call }: VerdictProps) {
  const envelope = call?.envelope ?? {};
  const error = call?.error ?? {};
  const code = textOrRemoved(error, "code");
  const reason =
    (status === "OK" ? textOrRemoved(metaIn(envelope), "explanation") : textOrRemoved(envelope, "message")) ??
    textOrRemoved(error, "message");
  const issues = issuesIn(envelope);
  const data = own(envelope, "data");
  return (
    <>
      <div class="verdict">
        <strong class={`status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
        {matchedRule === undefined ? null : (
          <span>
            Rule <code>{matchedRule}</code> matched
          </span>
        )}
        {code === undefined ? null : <code>{code}</code>}
      </div>
      {reason === undefined ? null : <p class="reason">{reason}</p>}
      {issues.length === 0 ? null : (
        <ul class="issues">
          {issues.map(({ path, message }) => (
            <li key={`${path} ${message}`} class="issue">
              <code>{path === "" ? "/" : path}</code>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {data === undefined ? null : <OutputData data={data} schema={{}} />}
    </>
  );
}
