import type { ComponentChildren } from "preact";
import { isObject } from "../json/values.js";
import { Removed, removedText } from "../model/trace.js";

interface CodeBlockProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Keyboard users must be able to reach an element that scrolls. */
export const reachable = { tabIndex: 0 };

/** Code in a box that scrolls if the code is larger. */
export function CodeBlock({ label, children }: CodeBlockProps) {
  return (
    <section class="code" aria-label={label} {...reachable}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  );
}

/** A text of the author's, in which what stands between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split("`");
  // An odd backtick is just a character.
  if (parts.length < 3 || parts.length % 2 === 0) return <>{text}</>;
  return (
    <>{parts.map((part, index) => (index % 2 === 0 ? part : <code key={String(index)}>{part}</code>))}</>
  );
}

/** JSON with syntax colours. It consists of text nodes, so nothing in it can become markup. */
export function JsonCode({ value, label }: { readonly value: unknown; readonly label: string }) {
  return <CodeBlock label={label}>{render(value, "")}</CodeBlock>;
}

function render(value: unknown, indent: string): ComponentChildren {
  const inner = `${indent}  `;
  if (value instanceof Removed) return <em class="removed">{removedText}</em>;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    const items = value.map((item, index) => [
      inner,
      render(item, inner),
      index < value.length - 1 ? ",\n" : "\n",
    ]);
    return ["[\n", items, `${indent}]`];
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return "{}";
    const lines = entries.map(([key, item], index) => [
      inner,
      <span key={key} class="json-key">
        {JSON.stringify(key)}
      </span>,
      ": ",
      render(item, inner),
      index < entries.length - 1 ? ",\n" : "\n",
    ]);
    return ["{\n", lines, `${indent}}`];
  }
  return (
    <span class={typeof value === "string" ? "json-text" : "json-scalar"}>{JSON.stringify(value) ?? ""}</span>
  );
}
