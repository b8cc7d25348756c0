import { fieldId } from "../form/form-context.js";
import { propertiesOf } from "../json/field-kind.js";
import { resolveSchema } from "../json/schema.js";
import { isObject, type JsonObject, own, parentPointer, textOf } from "../json/values.js";
import {
  figure,
  headlineOf,
  type Issue,
  issuesOf,
  messageOf,
  type Reply,
  statusOf,
  toneOf,
  verdictOf,
} from "../model/reply.js";
import { Removed, removedText } from "../model/trace.js";
import { JsonCode, Prose } from "../parts/code.js";
import { KeyName, QuietButton } from "../parts/controls.js";

interface HeadlineProps {
  readonly reply: Reply;
  /** The decision's `meta`, in which the author may name the result. */
  readonly meta: unknown;
  /** Asks once more. Absent where that cannot be. */
  readonly onRetry?: (() => void) | undefined;
}

/** The result in its author's words, the rule and its reason: what people came for, before anything else. */
function Headline({ reply, meta, onRetry }: HeadlineProps) {
  const { rule, title, reason, mayPass } = verdictOf(reply);
  const status = statusOf(reply);
  const answer = headlineOf(meta, dataOf(reply));
  const { retryAfter } = reply;
  return (
    <div class={`headline ${toneOf(status)}`}>
      {answer === undefined ? null : <p class="answer">{answer}</p>}
      <p class={answer === undefined ? "decided" : "decided second"}>
        <span>
          {rule === undefined ? (
            title
          ) : (
            <>
              <code>{rule}</code> decided
            </>
          )}
        </span>
        <strong class={`status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
      </p>
      {reason === undefined ? null : <p class="reason">{reason}</p>}
      {mayPass && onRetry !== undefined ? (
        <p class="retry">
          <QuietButton onClick={onRetry}>Retry</QuietButton>
          {retryAfter === undefined ? null : <span>The service asks to wait {retryAfter} s.</span>}
        </p>
      ) : null}
    </div>
  );
}

function dataOf({ body }: Reply): unknown {
  return isObject(body) ? own(body, "data") : undefined;
}

interface DataListProps {
  readonly data: unknown;
  readonly schema: JsonObject;
  readonly root?: JsonObject;
}

/** Values by what their author calls them, in the author's order. An object in an object is a list in the list. */
export function DataList({ data, schema, root = schema }: DataListProps) {
  if (!isPlainObject(data)) return <JsonCode value={data} label="Data" />;
  const known = new Map(propertiesOf(resolveSchema(schema, root)).map((one) => [one.name, one.schema]));
  const names = [...known.keys()].filter((name) => Object.hasOwn(data, name));
  const others = Object.keys(data).filter((name) => !known.has(name));
  return (
    <dl class="data">
      {[...names, ...others].map((name) => {
        const resolved = resolveSchema(known.get(name) ?? {}, root);
        const title = textOf(resolved, "title") ?? name;
        const description = textOf(resolved, "description");
        const value = own(data, name);
        return (
          <div key={name} class={isPlainObject(value) ? "nested" : undefined}>
            <dt>
              {title} <KeyName label={title} name={name} />
            </dt>
            <dd>
              {isPlainObject(value) ? (
                <DataList data={value} schema={resolved} root={root} />
              ) : (
                <Value value={value} name={title} />
              )}
              {description === undefined ? null : (
                <span class="data-about">
                  <Prose text={description} />
                </span>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function isPlainObject(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof Removed) && Object.keys(value).length > 0;
}

/** Whether a value is short enough to stand in a line. Empty text would not be seen. */
function isPlain(value: unknown): boolean {
  return ["number", "boolean"].includes(typeof value) || (typeof value === "string" && value !== "");
}

function Value({ value, name }: { readonly value: unknown; readonly name: string }) {
  if (typeof value === "boolean") return <span class={value ? "yes" : "no"}>{value ? "true" : "false"}</span>;
  if (typeof value === "number") return <span class="figure">{figure(value)}</span>;
  if (typeof value === "string") return <span class="text">{value === "" ? "(empty)" : value}</span>;
  if (value === null) return <code>null</code>;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  if (Array.isArray(value) && value.length === 0) return <span class="absent">none</span>;
  if (Array.isArray(value) && value.every(isPlain)) {
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

interface AnswerProps extends HeadlineProps {
  readonly outputSchema: JsonObject;
  readonly json?: boolean;
  /** Whether the errors lead to the fields of a form. */
  readonly hasForm?: boolean;
}

/** The headline of one reply, its errors, and the output. */
export function Answer({ outputSchema, json = false, hasForm = false, ...headline }: AnswerProps) {
  const { reply } = headline;
  const data = dataOf(reply);
  return (
    <>
      <Headline {...headline} />
      {json ? (
        <JsonCode value={reply.body} label="Body of the reply" />
      ) : (
        <>
          <Issues part="input" issues={issuesOf(reply, "input")} hasForm={hasForm} />
          <Issues part="profile" issues={issuesOf(reply, "profile")} hasForm={hasForm} />
          {data === undefined ? null : <DataList data={data} schema={outputSchema} />}
        </>
      )}
      {statusOf(reply) === "EVALUATION_FAILED" ? <FailureAdvice reply={reply} /> : null}
    </>
  );
}

/** The service sends callers nothing about its errors, but logs them. */
function FailureAdvice({ reply }: { readonly reply: Reply }) {
  const { requestId } = reply;
  if (requestId === undefined || messageOf(reply) === undefined) return null;
  return (
    <p class="field-description">
      The cause is in the log of the service, under request id <code>{requestId}</code>.
    </p>
  );
}

interface IssuesProps {
  readonly part: string;
  readonly issues: readonly Issue[];
  readonly hasForm: boolean;
}

function Issues({ part, issues, hasForm }: IssuesProps) {
  if (issues.length === 0) return null;
  return (
    <ul class="issues">
      {issues.map(({ path, message }) => {
        const text = (
          <>
            <code>{path === "" ? part : path}</code>
            <span>{message}</span>
          </>
        );
        return hasForm ? (
          <li key={`${path} ${message}`}>
            <button type="button" class="issue" onClick={() => goTo(part, path)}>
              {text}
            </button>
          </li>
        ) : (
          <li key={`${path} ${message}`} class="issue">
            {text}
          </li>
        );
      })}
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
