import { fieldId } from "../fields/form-context.js";
import { isObject, type JsonObject, own } from "../model/json.js";
import { parentPointer } from "../model/pointer.js";
import { type Issue, issuesOf, type Reply } from "../model/reply.js";
import { JsonCode } from "../parts/json-code.js";
import { Headline } from "./headline.js";
import { OutputData } from "./output-data.js";

interface AnswerProps {
  readonly reply: Reply;
  readonly outputSchema: JsonObject;
  readonly json: boolean;
  readonly onRetry: () => void;
}

/** The verdict of one reply, its errors, and the output. */
export function Answer({ reply, outputSchema, json, onRetry }: AnswerProps) {
  const data = isObject(reply.body) ? own(reply.body, "data") : undefined;
  return (
    <>
      <Headline reply={reply} onRetry={onRetry} />
      {json ? (
        <JsonCode value={reply.body} label="Body of the reply" />
      ) : (
        <>
          <IssueLinks part="input" issues={issuesOf(reply, "input")} />
          <IssueLinks part="profile" issues={issuesOf(reply, "profile")} />
          {data === undefined ? null : <OutputData data={data} schema={outputSchema} />}
        </>
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
