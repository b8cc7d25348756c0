import { useState } from "preact/hooks";
import type { Edited } from "../model/edited.js";
import { pretty, sameJson } from "../model/json.js";
import { readJson } from "../model/read-json.js";
import type { Issue } from "../model/reply.js";
import { Icon } from "../parts/icons.js";

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
        spellcheck={false}
        autocomplete="off"
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
