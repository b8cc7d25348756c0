import { useState } from "preact/hooks";
import { Icon } from "./parts/icons.js";

interface KeyGateProps {
  readonly value: string;
  readonly onChange: (key: string) => void;
}

/** Where the API key is given. It stays in memory, and goes nowhere but into the `x-api-key` header. */
export function KeyGate({ value, onChange }: KeyGateProps) {
  const [text, setText] = useState(value);
  return (
    <form
      class="key-gate"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
      }}
    >
      <label>
        <Icon name="key" />
        <span class="hidden">API key</span>
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="API key"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="quiet">
        {value !== "" && value === text.trim() ? "In use" : "Use key"}
      </button>
    </form>
  );
}
