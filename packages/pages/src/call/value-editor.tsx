import { useMemo, useRef, useState } from "preact/hooks";
import { Field } from "../fields/field.js";
import { FormContext } from "../fields/form-context.js";
import type { Edited } from "../model/edited.js";
import { type JsonObject, sameJson } from "../model/json.js";
import type { Issue } from "../model/reply.js";
import { Choice } from "../parts/choice.js";
import { JsonEditor } from "./json-editor.js";

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
  const known = useRef(issues);
  if (!sameJson(known.current, issues)) known.current = issues;
  const sameIssues = known.current;
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
