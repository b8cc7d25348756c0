import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icons.js";

interface SearchBoxProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly placeholder: string;
}

/** The search for decisions. The `/` key leads to it from wherever one is not writing. */
export function SearchBox({ query, onQuery, onKeyDown, placeholder }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== "/" || ctrlKey || metaKey || altKey || isWritable(target)) return;
      // On a narrow screen there may be no search beside a decision.
      if (input.current === null || input.current.offsetParent === null) return;
      event.preventDefault();
      input.current.focus();
      input.current.select();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search decisions"
        aria-keyshortcuts="/"
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onKeyDown={(event) => {
          if (event.key === "Escape" && query !== "") {
            event.preventDefault();
            onQuery("");
          }
          onKeyDown(event);
        }}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </div>
  );
}

function isWritable(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "range"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
