import { useState } from "preact/hooks";
import { fromFragment, type PlaygroundState } from "../base/state.js";
import type { ListedExample } from "./load-files.js";

export interface Example {
  readonly state: PlaygroundState;
  readonly fragment: string;
}

/** Opens the examples of the guides. It loads their list when somebody looks at it. */
export function ExampleMenu({ onExample }: { readonly onExample: (example: Example) => void }) {
  const [examples, setExamples] = useState<readonly ListedExample[]>([]);
  const load = async () => {
    if (examples.length > 0) return;
    const response = await fetch("examples.json").catch(() => undefined);
    // Holds: the build writes it.
    if (response?.ok === true) setExamples((await response.json()) as readonly ListedExample[]);
  };
  return (
    <label class="menu">
      <span class="hidden">Example</span>
      <select
        value=""
        onPointerDown={load}
        onFocus={load}
        onChange={async ({ currentTarget }) => {
          const { fragment = "" } = examples[Number(currentTarget.value)] ?? {};
          currentTarget.value = "";
          const state = await fromFragment(fragment);
          if (typeof state !== "string") onExample({ state, fragment });
        }}
      >
        <option value="">Examples…</option>
        {examples.map(({ title }, index) => (
          <option key={title} value={String(index)}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
