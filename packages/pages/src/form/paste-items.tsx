import { useContext, useState } from "preact/hooks";
import { readTable } from "../json/table.js";
import type { JsonObject } from "../json/values.js";
import { QuietButton, verbatim } from "../parts/controls.js";
import { FormContext, focusSoon } from "./form-context.js";

interface PasteItemsProps {
  readonly label: string;
  /** The schema of an item. */
  readonly items: JsonObject;
  /** Gets the items that replace those in the list. */
  readonly onPaste: (items: readonly unknown[]) => void;
}

/** Takes a whole list from JSON, or from a table with a row of names. */
export function PasteItems(props: PasteItemsProps) {
  const { part } = useContext(FormContext);
  const [isOpen, setOpen] = useState(false);
  const id = `${part}:paste:${props.label}`;
  if (isOpen) return <PasteForm {...props} id={id} onClose={() => setOpen(false)} />;
  return (
    <QuietButton
      onClick={() => {
        setOpen(true);
        focusSoon(id);
      }}
    >
      Paste a list
    </QuietButton>
  );
}

interface PasteFormProps extends PasteItemsProps {
  readonly id: string;
  readonly onClose: () => void;
}

function PasteForm({ label, items, onPaste, id, onClose }: PasteFormProps) {
  const { root } = useContext(FormContext);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const replace = () => {
    const reading = readTable(text, items, root);
    if ("problem" in reading) {
      setProblem(reading.problem);
      return;
    }
    onPaste(reading.items);
    onClose();
  };
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
        {...verbatim}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p class="field-error" id={`${id}:error`} role="status">
        {problem ?? ""}
      </p>
      <QuietButton onClick={replace}>Replace {label}</QuietButton>
      <QuietButton onClick={onClose}>Cancel</QuietButton>
    </div>
  );
}
