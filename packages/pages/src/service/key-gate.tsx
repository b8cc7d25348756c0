import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icons.js";

interface KeyGateProps {
  readonly value: string;
  /** Whether the service has refused that key. */
  readonly refused: boolean;
  readonly onUse: (key: string) => void;
}

/** The form for the API key. The key stays in memory and is sent only in the `x-api-key` header. */
export function KeyGate({ value, refused, onUse }: KeyGateProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const wrong = refused && text.trim() === value;
  // The error page replaces the form, so put the focus back on the key.
  useEffect(() => {
    if (refused) input.current?.focus();
  }, [refused]);
  return (
    <form
      class="key-gate"
      onSubmit={(event) => {
        event.preventDefault();
        onUse(text.trim());
      }}
    >
      <label>
        <Icon name="key" />
        <span class="hidden">API key</span>
        <input
          ref={input}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="API key"
          aria-invalid={wrong}
          aria-describedby={wrong ? "failure" : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="quiet">
        {value !== "" && !refused && value === text.trim() ? "In use" : "Use key"}
      </button>
    </form>
  );
}
