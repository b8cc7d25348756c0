import { useMemo, useState } from "preact/hooks";
import { readJson } from "../json/reading.js";
import { type JsonObject, pretty, sameJson } from "../json/values.js";
import type { Edited } from "../model/call.js";
import type { Issue } from "../model/reply.js";
import { useSame } from "../parts/browser.js";
import { Choice, Icon, verbatim } from "../parts/controls.js";
import { Field } from "./field.js";
import { FormContext } from "./form-context.js";

interface JsonEditorProps {
  readonly part: "input" | "profile";
  readonly title: string;
  readonly edited: Edited;
  readonly issues: readonly Issue[];
  readonly onChange: (edited: Edited) => void;
}

/** The value as text. While the text cannot be sent, the value does not change. */
export function JsonEditor({ part, title, edited, issues, onChange }: JsonEditorProps) {
  // Keep the user's spacing for as long as the value is the one they wrote.
  const [written, setWritten] = useState({ text: pretty(edited.value), value: edited.value });
  const text =
    edited.draft?.text ?? (sameJson(written.value, edited.value) ? written.text : pretty(edited.value));
  const id = `${part}:json`;
  const problem = edited.draft?.problem;
  return (
    <div class="json-editor">
      <textarea
        id={id}
        class="json-input"
        aria-label={`${title} as JSON`}
        aria-describedby={`${id}:error`}
        aria-invalid={problem !== undefined || issues.length > 0}
        rows={Math.min(28, Math.max(6, text.split("\n").length + 1))}
        {...verbatim}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          const reading = readJson(next);
          if ("problem" in reading) {
            onChange({ value: edited.value, draft: { text: next, problem: reading.problem } });
          } else {
            setWritten({ text: next, value: reading.value });
            onChange({ value: reading.value });
          }
        }}
      />
      <div id={`${id}:error`} aria-live="polite">
        {problem === undefined ? null : (
          <p class="field-error">
            <Icon name="warn" />
            <span>{problem}</span>
          </p>
        )}
        {issues.map(({ path, message }) => (
          <p class="field-error" key={`${path} ${message}`}>
            <Icon name="warn" />
            <span>
              <code>{path === "" ? "/" : path}</code> {message}
            </span>
          </p>
        ))}
      </div>
    </div>
  );
}

interface ValueEditorProps {
  readonly part: "input" | "profile";
  readonly title: string;
  readonly schema: JsonObject;
  /** What the value starts from, to mark and take back what differs. */
  readonly baseline?: unknown;
  readonly edited: Edited;
  readonly issues: readonly Issue[];
  readonly onChange: (edited: Edited) => void;
}

const views = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;

/** Edits one value, as a form or as JSON. */
export function ValueEditor({ part, title, schema, baseline, edited, issues, onChange }: ValueEditorProps) {
  const [view, setView] = useState<"form" | "json">("form");
  // All fields look at the issues, so they must stay the same list until they change.
  const sameIssues = useSame(issues);
  const form = useMemo(
    () => ({ part, root: schema, baseline, issues: sameIssues, Field }),
    [part, schema, baseline, sameIssues],
  );
  return (
    <section class="editor" aria-labelledby={`${part}-title`}>
      <div class="editor-head">
        <h3 id={`${part}-title`}>{title}</h3>
        <Choice label={`${title} as`} name={`${part}-view`} options={views} value={view} onChange={setView} />
      </div>
      {view === "json" ? (
        <JsonEditor part={part} title={title} edited={edited} issues={issues} onChange={onChange} />
      ) : (
        <FormContext.Provider value={form}>
          {edited.draft === undefined ? null : (
            <p class="field-error">The JSON is invalid. The form shows the last valid value.</p>
          )}
          <Field
            schema={schema}
            path={[]}
            label={title}
            required={true}
            value={edited.value}
            onChange={(value) => onChange({ value })}
          />
        </FormContext.Provider>
      )}
    </section>
  );
}
