import type { ComponentChildren } from "preact";

interface CodeBlockProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Keyboard users must be able to reach an element that scrolls. */
const reachable = { tabIndex: 0 };

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
