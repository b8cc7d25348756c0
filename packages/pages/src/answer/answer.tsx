import { fieldId } from "../form/form-context.js";
import { resolveSchema } from "../json/schema.js";
import { isObject, type JsonObject, own, parentPointer, textOf } from "../json/values.js";
import { type Issue, issuesOf, type Reply, statusOf, toneOf, verdictOf } from "../model/reply.js";
import { Removed, removedText } from "../model/trace.js";
import { JsonCode } from "../parts/code.js";
import { KeyName } from "../parts/controls.js";

interface HeadlineProps {
  readonly reply: Reply;
  readonly onRetry: () => void;
}

/** The result and its reason: what people came for, before anything else. */
function Headline({ reply, onRetry }: HeadlineProps) {
  const { rule, title, reason, mayPass } = verdictOf(reply);
  const status = statusOf(reply);
  const { retryAfter } = reply;
  return (
    <div class={`headline ${toneOf(status)}`}>
      <p class="decided">
        {rule === undefined ? (
          <span>{title}</span>
        ) : (
          <span>
            <code>{rule}</code> decided
          </span>
        )}
        <strong class={`status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
      </p>
      {reason === undefined ? null : <p class="reason">{reason}</p>}
      {mayPass ? (
        <p class="retry">
          <button type="button" class="quiet" onClick={onRetry}>
            Retry
          </button>
          {retryAfter === undefined ? null : <span>The service asks to wait {retryAfter} s.</span>}
        </p>
      ) : null}
    </div>
  );
}

/** `data` of the result: an object as a list of its values, everything else as JSON. */
export function OutputData({ data, schema }: { readonly data: unknown; readonly schema: JsonObject }) {
  if (!isObject(data) || data instanceof Removed || Object.keys(data).length === 0)
    return <JsonCode value={data} label="Data" />;
  const properties = own(resolveSchema(schema, schema), "properties");
  return (
    <dl class="data">
      {Object.entries(data).map(([name, value]) => {
        const property = isObject(properties) ? own(properties, name) : undefined;
        const resolved = isObject(property) ? resolveSchema(property, schema) : {};
        const title = textOf(resolved, "title");
        const description = textOf(resolved, "description");
        return (
          <div key={name}>
            <dt>
              {title ?? name}
              {title === undefined ? null : <KeyName label={title} name={name} />}
            </dt>
            <dd>
              <Value value={value} name={title ?? name} />
              {description === undefined ? null : <span class="data-about">{description}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Whether a value is short enough to stand in a line. Empty text would not be seen. */
function isPlain(value: unknown): boolean {
  return (
    typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && value !== "")
  );
}

/** Whole numbers with separators; others as JSON has them, so that no digit is lost. */
function figure(value: number): string {
  return Number.isSafeInteger(value) && Math.abs(value) >= 10_000
    ? value.toLocaleString("en")
    : String(value);
}

function Value({ value, name }: { readonly value: unknown; readonly name: string }) {
  if (typeof value === "boolean") return <span class={value ? "yes" : "no"}>{value ? "true" : "false"}</span>;
  if (typeof value === "number") return <span class="figure">{figure(value)}</span>;
  if (typeof value === "string") return <span>{value === "" ? "(empty)" : value}</span>;
  if (value === null) return <code>null</code>;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  if (Array.isArray(value) && value.length > 0 && value.every(isPlain)) {
    return (
      <ul class="list-values">
        {value.map((item, index) => (
          <li key={String(index)}>{typeof item === "string" ? item : JSON.stringify(item)}</li>
        ))}
      </ul>
    );
  }
  return <JsonCode value={value} label={name} />;
}

interface AnswerProps {
  readonly reply: Reply;
  readonly outputSchema: JsonObject;
  readonly json: boolean;
  readonly onRetry: () => void;
}

/** The result of one reply, its errors, and the output. */
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
