import { Choice, CopyButton } from "@decern/pages/components";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Mistake, OpenedDecision, Source } from "../engine/messages.js";
import { Console } from "./console.js";
import type { Editor } from "./editor.js";
import { type Example, ExampleMenu } from "./example-menu.js";
import { TableGrid } from "./table-parts.js";

interface SourcePaneProps {
  readonly source: Source;
  /** Changes when the editor is to start anew. */
  readonly editorKey: number;
  readonly mistake: Mistake | undefined;
  readonly isRunning: boolean;
  readonly lines: readonly string[];
  /** Undefined where the source is too long for a link. */
  readonly fragment: string | undefined;
  /** The first decision of the source. Undefined while the source has not run as it is. */
  readonly opened: OpenedDecision | undefined;
  /** Whether everything else is there, so that the editor can load. */
  readonly isSettled: boolean;
  readonly onChange: (source: Source) => void;
  readonly onExample: (example: Example) => void;
}

type Part = "module" | "table" | "grid";

/** The rows of a table; as text where a grid has no room. */
function firstPart(): Part {
  return matchMedia("(min-width: 481px)").matches ? "grid" : "table";
}

/** The code and, for a table, its rows, with what is wrong with them. */
export function SourcePane(props: SourcePaneProps) {
  const { source, editorKey, mistake, isSettled, onChange } = props;
  const { module, table } = source;
  const [chosen, setChosen] = useState(firstPart);
  const part = table === undefined ? "module" : chosen;
  useEffect(() => setChosen(firstPart()), [editorKey]);
  const write = (text: string) =>
    onChange(
      part === "module" || table === undefined
        ? { module: text, table }
        : { module, table: { ...table, text } },
    );
  return (
    <section class="source" aria-labelledby="source-title">
      <div class="card source-card">
        <SourceHead {...props} part={part} onPart={setChosen} />
        {part === "grid" && table !== undefined ? (
          <TableGrid key={editorKey} table={table} decision={props.opened} onChange={write} />
        ) : (
          <TextArea
            key={`${editorKey} ${part}`}
            label={part === "table" ? `Rows in ${table?.name}` : "Code in TypeScript"}
            text={part === "table" && table !== undefined ? table.text : module}
            isCode={part === "module"}
            line={part === "module" ? mistake?.line : undefined}
            isSettled={isSettled}
            onChange={write}
          />
        )}
        <div class="source-state" role="status">
          {props.isRunning ? (
            <p>Running…</p>
          ) : mistake === undefined ? null : (
            <p class="mistake">
              {mistake.line === undefined ? null : <strong>Line {mistake.line}: </strong>}
              {mistake.message}
            </p>
          )}
        </div>
      </div>
      <Console title="Console" lines={props.lines} />
    </section>
  );
}

interface SourceHeadProps extends Pick<SourcePaneProps, "source" | "fragment" | "onExample"> {
  readonly part: Part;
  readonly onPart: (part: Part) => void;
}

/** Which part of the source is open, and what else it may be. */
function SourceHead({ source: { table }, fragment, onExample, part, onPart }: SourceHeadProps) {
  return (
    <div class="card-head">
      <h2 id="source-title">{table === undefined ? "Decision" : "Table"}</h2>
      {table === undefined ? null : (
        <Choice
          label="File"
          name="file"
          options={[
            { value: "grid", label: "Rows" },
            { value: "table", label: table.name },
            { value: "module", label: "contract.ts" },
          ]}
          value={part}
          onChange={onPart}
        />
      )}
      <ExampleMenu onExample={onExample} />
      {fragment === undefined ? (
        <span class="tag">Too long for a link</span>
      ) : (
        <CopyButton label="Copy link" icon="link" text={() => new URL(fragment, location.href).href} />
      )}
    </div>
  );
}

interface TextAreaProps {
  readonly label: string;
  /** The text at first: the editor keeps its own. */
  readonly text: string;
  readonly isCode: boolean;
  readonly line: number | undefined;
  readonly isSettled: boolean;
  readonly onChange: (text: string) => void;
}

/** A plain field until the editor has loaded, and where it does not load. */
function TextArea({ label, text, isCode, line, isSettled, onChange }: TextAreaProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };
  const [editor, setEditor] = useState<Editor>();
  useEffect(() => {
    if (!isSettled) return undefined;
    let made: Editor | undefined;
    let isGone = false;
    import("./editor.js").then(
      ({ createEditor }) => {
        const parent = place.current;
        if (isGone || parent === null) return;
        const { text: current } = latest.current;
        const hadFocus = parent.parentElement?.querySelector("textarea") === document.activeElement;
        made = createEditor({
          parent,
          label,
          text: current,
          isCode,
          onChange: (next) => latest.current.onChange(next),
        });
        setEditor(made);
        if (hadFocus) parent.querySelector<HTMLElement>(".cm-content")?.focus();
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      made?.end();
    };
  }, [isSettled]);
  useEffect(() => editor?.mark(line), [editor, line]);
  return (
    <div class="text">
      {editor !== undefined ? null : (
        <textarea
          aria-label={label}
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <div class="editor-place" ref={place} />
    </div>
  );
}
