import { fieldId } from "../fields/form-context.js";
import { isObject, type JsonObject, own } from "../model/json.js";
import { parentPointer } from "../model/pointer.js";
import { type Issue, issuesOf, messageOf, metaOf, type Reply, statusOf, toneOf } from "../model/reply.js";
import { CopyButton } from "../parts/copy-button.js";
import { JsonCode } from "../parts/json-code.js";
import { OutputData } from "./output-data.js";

interface AnswerProps {
  readonly reply: Reply;
  readonly outputSchema: JsonObject;
  readonly json: boolean;
}

/** Status, timing, message, errors and data of one reply. */
export function Answer({ reply, outputSchema, json }: AnswerProps) {
  const status = statusOf(reply);
  const message = messageOf(reply);
  const data = isObject(reply.body) ? own(reply.body, "data") : undefined;
  const evaluatedAt = metaOf(reply)["evaluatedAt"];
  return (
    <>
      <div class="status-line">
        <strong class={`status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
        {reply.httpStatus === 0 ? null : <span>HTTP {reply.httpStatus}</span>}
        <span>
          {reply.milliseconds < 10 ? reply.milliseconds.toFixed(1) : Math.round(reply.milliseconds)} ms
        </span>
        {typeof evaluatedAt === "string" ? (
          <time dateTime={evaluatedAt}>{clockTime(evaluatedAt)}</time>
        ) : null}
      </div>
      {json ? (
        <JsonCode value={reply.body} label="Body of the reply" />
      ) : (
        <>
          {message === undefined ? null : <p class="message">{message}</p>}
          <IssueLinks part="input" issues={issuesOf(reply, "input")} />
          <IssueLinks part="profile" issues={issuesOf(reply, "profile")} />
          {data === undefined ? null : <OutputData data={data} schema={outputSchema} />}
        </>
      )}
      {reply.requestId === undefined ? null : (
        <p class="request-id">
          <span>x-request-id</span>
          <code>{reply.requestId}</code>
          <CopyButton label="Copy" text={() => reply.requestId ?? ""} />
        </p>
      )}
    </>
  );
}

function IssueLinks({ part, issues }: { readonly part: string; readonly issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul class="issues">
      {issues.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <button type="button" class="issue" onClick={() => goTo(part, path)}>
            <code>{path === "" ? part : path}</code>
            <span>{message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Moves the focus to the field, or to the nearest field around it. */
function goTo(part: string, path: string): void {
  for (let at: string | undefined = path; at !== undefined; at = parentPointer(at)) {
    const field = document.getElementById(fieldId(part, at));
    if (field !== null) {
      field.focus();
      return;
    }
  }
  document.getElementById(`${part}:json`)?.focus();
}

function clockTime(iso: string): string {
  return iso.replace("T", " ").replace("Z", " UTC");
}
