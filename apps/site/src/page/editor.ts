import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** A text that is edited. The page loads it after everything else. */
export interface Editor {
  /** Marks a line, from 1. */
  mark(line: number | undefined): void;
  end(): void;
}

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly isCode: boolean;
  readonly onChange: (text: string) => void;
}

const setMark = StateEffect.define<number | undefined>();
const markedLine = Decoration.line({ class: "cm-mistake" });
const marks = StateField.define({
  create: () => Decoration.none,
  update: (before, { effects, newDoc, changes }) => {
    const effect = effects.find((one) => one.is(setMark));
    if (effect === undefined) return before.map(changes);
    const { value } = effect;
    return value === undefined || value > newDoc.lines
      ? Decoration.none
      : Decoration.set(markedLine.range(newDoc.line(value).from));
  },
  provide: (field) => EditorView.decorations.from(field),
});

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--accent)" },
  { tag: [tags.string, tags.regexp], color: "var(--good)" },
  { tag: tags.number, color: "var(--open)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13.5px", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--sunken)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--accent-wash)",
  },
  ".cm-mistake": { backgroundColor: "var(--bad-wash)" },
});

export function createEditor({ parent, label, text, isCode, onChange }: EditorOptions): Editor {
  const extensions: Extension = [
    lineNumbers(),
    history(),
    highlightActiveLine(),
    bracketMatching(),
    // The tab key leaves the editor, as it leaves any field.
    keymap.of([...defaultKeymap, ...historyKeymap]),
    marks,
    theme,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    ...(isCode ? [javascript({ typescript: true }), indentOnInput(), syntaxHighlighting(highlighting)] : []),
  ];
  const view = new EditorView({ parent, doc: text, extensions });
  // What scrolls must be reachable by the keyboard.
  view.scrollDOM.tabIndex = 0;
  return {
    mark: (line) => view.dispatch({ effects: setMark.of(line) }),
    end: () => view.destroy(),
  };
}
