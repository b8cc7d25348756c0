import type { ComponentChildren } from "preact";

interface CodeBlockProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

/** Code in a box that scrolls when it is larger. */
export function CodeBlock({ label, children }: CodeBlockProps) {
  return (
    <section class="code" aria-label={label} {...reachable}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  );
}
