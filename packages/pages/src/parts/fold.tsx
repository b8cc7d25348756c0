import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface FoldProps {
  readonly title: string;
  /** Whether it is open at first on a narrow screen. */
  readonly startsOpen?: boolean;
  readonly children: ComponentChildren;
}

/** Folds away on a narrow screen what is not needed at once. */
export function Fold({ title, startsOpen = false, children }: FoldProps) {
  const [narrow] = useState(() => matchMedia("(max-width: 760px)").matches);
  if (!narrow) return <>{children}</>;
  return (
    <details class="fold" open={startsOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
