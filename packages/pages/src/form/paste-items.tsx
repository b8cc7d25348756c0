import { useContext, useState } from "preact/hooks";
import { readTable } from "../json/table.js";
import type { JsonObject } from "../json/values.js";
import { FormContext, focusSoon } from "./form-context.js";

interface PasteItemsProps {
  readonly label: string;
  /** The schema of an item. */
  readonly items: JsonObject;
  /** Gets the items that replace those in the list. */
  readonly onPaste: (items: readonly unknown[]) => void;
}

/** Takes a whole list from JSON, or from a table with a row of names. */
export function PasteItems({ label, items, onPaste }: PasteItemsProps) {
  const { part, root } = useContext(FormContext);
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const id = `${part}:paste:${label}`;
  const close = () => {
    setText(undefined);
    setProblem(undefined);
  };
  if (text === undefined) {
    return (
      <button
        type="button"
        class="quiet"
        onClick={() => {
          setText("");
          focusSoon(id);
        }}
      >
        Paste a list
      </button>
    );
  }
  return (
    <div class="paste">
      <textarea
        id={id}
        class="json-input"
        rows={5}
        aria-label={`${label} as JSON or CSV`}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}:error`}
        placeholder={"JSON list, or CSV with a row of names"}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="field-error" id={`${id}:error`} role="status">
        {problem ?? ""}
      </p>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          const reading = readTable(text, items, root);
          if ("problem" in reading) setProblem(reading.problem);
          else {
            onPaste(reading.items);
            close();
          }
        }}
      >
        Replace {label}
      </button>
      <button type="button" class="quiet" onClick={close}>
        Cancel
      </button>
    </div>
  );
}
