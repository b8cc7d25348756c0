import { expectedText, type Proof } from "../model/example-proof.js";
import { sameJson } from "../model/json.js";
import type { SharedCall } from "../model/share-link.js";
import type { WorkedExample } from "../model/worked-examples.js";
import { Icon } from "../parts/icons.js";
import type { Proofs } from "./use-proofs.js";

interface ExampleBarProps {
  readonly examples: readonly WorkedExample[];
  /** The call in the form, to mark the example it equals. */
  readonly call: SharedCall;
  readonly proofs: Proofs;
  readonly onPick: (example: WorkedExample) => void;
  readonly onClear: () => void;
}

/** A button for each example with what its author expects, one that runs them all, and one that clears the form. */
export function ExampleBar({ examples, call, proofs, onPick, onClear }: ExampleBarProps) {
  const provable = examples.filter(({ expect }) => expect !== undefined).length;
  return (
    <div class="examples">
      <div class="examples-head">
        <h3 id="examples-title">Examples</h3>
        <span class="examples-result" role="status">
          {resultText(proofs)}
        </span>
        {provable === 0 ? null : (
          <button
            type="button"
            class="quiet"
            aria-disabled={proofs.running}
            onClick={() => void proofs.runAll()}
          >
            Run all
          </button>
        )}
        <button type="button" class="quiet" onClick={onClear}>
          Clear
        </button>
      </div>
      <ul class="example-list" aria-labelledby="examples-title">
        {examples.map((example) => {
          const pressed = sameJson(call, { input: example.input, profile: example.profile });
          return (
            <li key={example.key}>
              <ExampleChip
                example={example}
                proof={proofs.found.get(example.key)}
                pressed={pressed}
                onPick={onPick}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface ExampleChipProps {
  readonly example: WorkedExample;
  readonly proof: Proof | undefined;
  readonly pressed: boolean;
  readonly onPick: (example: WorkedExample) => void;
}

function ExampleChip({ example, proof, pressed, onPick }: ExampleChipProps) {
  const { key, name, expect } = example;
  const noteId = `example-${key}`;
  const state = proof === undefined ? "" : proof.asExpected ? " proved" : " failed";
  return (
    <button
      type="button"
      class={`chip${state}`}
      aria-pressed={pressed}
      aria-label={name}
      aria-describedby={expect === undefined ? undefined : noteId}
      onClick={() => onPick(example)}
    >
      <span>{name}</span>
      {expect === undefined ? null : (
        <span class="chip-note" id={noteId}>
          {proof === undefined ? null : <Icon name={proof.asExpected ? "check" : "close"} />}
          {proof === undefined || proof.asExpected ? null : (
            <span>
              <code>{proof.outcome}</code> instead of{" "}
            </span>
          )}
          {proof?.asExpected === true ? <span class="hidden">as expected: </span> : null}
          <code>{expectedText(expect)}</code>
        </span>
      )}
    </button>
  );
}

function resultText({ found, running }: Proofs): string {
  if (found.size === 0) return "";
  const right = [...found.values()].filter(({ asExpected }) => asExpected).length;
  return running ? `${found.size} run…` : `${right} of ${found.size} as expected`;
}
