import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLatest } from "../parts/browser.js";
import { Icon, verbatim } from "../parts/controls.js";
import type { GridColumn } from "../table/columns.js";

/** Where the keyboard goes after an edit. */
export type Leave = "stay" | "down" | "up" | "right" | "left";

interface CellEditorProps {
  /** Names the cell for screen readers. */
  readonly label: string;
  readonly text: string;
  /** What was typed to begin with; it replaces the text. Absent where the text is edited. */
  readonly typed: string | undefined;
  /** Says what is wrong with a text, if something is. */
  readonly check: (text: string) => Promise<string | undefined>;
  readonly onCommit: (text: string, leave: Leave) => void;
  readonly onCancel: () => void;
}

/** How long typing rests before a text is checked, in milliseconds. */
const rest = 120;

/** The field in a cell that is edited. What is wrong is shown as somebody types. */
export function CellEditor(props: CellEditorProps) {
  const { label, text: before, typed, check } = props;
  const [text, setText] = useState(typed ?? before);
  const problem = useProblem(text, check);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  const leave = useLeave(text, props);
  const onKeyDown = (event: KeyboardEvent) => {
    // The grid's keys are not those of its field.
    event.stopPropagation();
    if (event.isComposing) return;
    const { key, shiftKey, altKey } = event;
    if (key === "Escape") leave(undefined);
    if (key !== "Enter" && key !== "Tab") return;
    event.preventDefault();
    if (key === "Tab") leave(shiftKey ? "left" : "right");
    else if (!altKey) leave(shiftKey ? "up" : "down");
    else {
      const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
      setText(`${text.slice(0, selectionStart)}\n${text.slice(selectionEnd)}`);
    }
  };
  return (
    <>
      <textarea
        ref={field}
        class="cell-editor"
        rows={Math.min(6, text.split("\n").length)}
        {...verbatim}
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : "cell-problem"}
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={onKeyDown}
        onBlur={() => leave("stay")}
      />
      {problem === undefined ? null : <Problem id="cell-problem" text={problem} />}
    </>
  );
}

/** What is wrong with a text, once typing rests. */
function useProblem(text: string, check: CellEditorProps["check"]): string | undefined {
  const [problem, setProblem] = useState<string>();
  const latest = useLatest(check);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      const show = (found: string | undefined) => wanted && setProblem(found);
      // The draft as a whole is checked anyway.
      latest.current(text).then(show, () => show(undefined));
    }, rest);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  return problem;
}

/** Ends the edit once, whatever ends it first: a key, the focus that goes elsewhere, or the cell that scrolls out of sight. */
function useLeave(text: string, { onCommit, onCancel }: CellEditorProps) {
  const latest = useRef({ text, onCommit, onCancel, isDone: false });
  Object.assign(latest.current, { text, onCommit, onCancel });
  const leave = (how: Leave | undefined) => {
    const { current } = latest;
    if (current.isDone) return;
    current.isDone = true;
    if (how === undefined) current.onCancel();
    else current.onCommit(current.text, how);
  };
  useEffect(() => () => leave("stay"), []);
  return leave;
}

/** What is wrong with a cell, below it. */
export function Problem({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <span class="cell-problem" id={id}>
      <Icon name="warn" />
      {text}
    </span>
  );
}

interface CellTextProps {
  readonly column: GridColumn;
  readonly text: string;
  readonly isDefault: boolean;
}

/** What is in a cell that is not edited. */
export function CellText({ column: { kind }, text, isDefault }: CellTextProps) {
  if (kind === "id") return isDefault ? <strong>Default</strong> : <code>{text}</code>;
  if (isDefault && kind !== "output")
    return kind === "input" ? <span class="any">no row matches</span> : null;
  if (kind === "input" && (text.trim() === "" || text.trim() === "-")) return <span class="any">any</span>;
  if (kind === "output") return <code>{text === "" ? "–" : text}</code>;
  return kind === "input" ? <code>{text}</code> : <span>{text}</span>;
}
