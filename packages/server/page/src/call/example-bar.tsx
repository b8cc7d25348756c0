import { sameJson } from "../model/json.js";
import type { SharedCall } from "../model/share-link.js";
import type { WorkedExample } from "../model/worked-examples.js";

interface ExampleBarProps {
  readonly examples: readonly WorkedExample[];
  /** The call in the form, to mark the example it equals. */
  readonly call: SharedCall;
  readonly onPick: (example: WorkedExample) => void;
  readonly onClear: () => void;
}

/** A button for each example, and one that clears the form. */
export function ExampleBar({ examples, call, onPick, onClear }: ExampleBarProps) {
  return (
    <fieldset class="examples">
      <legend class="hidden">Worked examples</legend>
      <span aria-hidden="true">Examples</span>
      {examples.map((example) => (
        <button
          key={example.key}
          type="button"
          class="chip"
          aria-pressed={sameJson(call, { input: example.input, profile: example.profile })}
          onClick={() => onPick(example)}
        >
          {example.name}
        </button>
      ))}
      <button type="button" class="chip plain" onClick={onClear}>
        Clear
      </button>
    </fieldset>
  );
}
