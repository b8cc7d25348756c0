import { useEffect, useRef, useState } from "preact/hooks";
import { sameJson, textOf } from "../json/values.js";
import type { SharedCall } from "../model/call.js";
import { expectedText, type Proof, proofOf, type WorkedExample } from "../model/examples.js";
import { metaOf, type Reply } from "../model/reply.js";
import { Icon, QuietButton } from "../parts/controls.js";

interface ExampleBarProps {
  readonly examples: readonly WorkedExample[];
  /** The call in the form, to mark the example it equals. */
  readonly call: SharedCall;
  readonly proofs: Proofs;
  /** Of the decision, to name those that no example reaches. */
  readonly ruleIds: readonly string[];
  readonly onPick: (example: WorkedExample) => void;
  readonly onClear: () => void;
}

/** A button for each example with what its author expects, one that runs them all, and one that clears the form. */
export function ExampleBar({ examples, call, proofs, ruleIds, onPick, onClear }: ExampleBarProps) {
  const provable = examples.some(({ expect }) => expect !== undefined);
  const { reached } = proofs;
  const missed = ruleIds.filter((id) => !reached.has(id));
  return (
    <div class="examples">
      <div class="examples-head">
        <h3 id="examples-title">Examples</h3>
        <span class="examples-result" role="status">
          {resultText(proofs)}
        </span>
        {!provable && examples.length < 2 ? null : (
          <QuietButton isOff={proofs.running} onClick={() => void proofs.runAll()}>
            Run all
          </QuietButton>
        )}
        <QuietButton onClick={onClear}>Clear</QuietButton>
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
      {proofs.running || reached.size === 0 ? null : (
        <p class="field-description">
          {`${ruleIds.length - missed.length} of ${ruleIds.length} rules covered. `}
          {missed.length === 0 ? null : (
            <>
              No example ends at <code>{missed.slice(0, mostNamed).join(", ")}</code>
              {missed.length > mostNamed ? ` and ${missed.length - mostNamed} more` : ""}.
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** More would be a list of their own. */
const mostNamed = 8;

interface ExampleChipProps {
  readonly example: WorkedExample;
  readonly proof: Proof | undefined;
  readonly pressed: boolean;
  readonly onPick: (example: WorkedExample) => void;
}

function ExampleChip({ example, proof, pressed, onPick }: ExampleChipProps) {
  const { name, expect } = example;
  const state = proof === undefined ? "" : proof.asExpected ? " proved" : " failed";
  return (
    <button type="button" class={`chip${state}`} aria-pressed={pressed} onClick={() => onPick(example)}>
      <span>{name}</span>
      {expect === undefined ? null : (
        <span class="chip-note">
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
  if (found.size === 0) return running ? "Running…" : "";
  const right = [...found.values()].filter(({ asExpected }) => asExpected).length;
  return running ? `${found.size} run…` : `${right} of ${found.size} as expected`;
}

export interface Proofs {
  /** What came of each example that was run, by key. */
  readonly found: ReadonlyMap<string, Proof>;
  /** The rules that decided any example. Empty before they were run. */
  readonly reached: ReadonlySet<string>;
  readonly running: boolean;
  /** Runs every example, and compares those of which something is expected. */
  runAll(): Promise<void>;
}

const none: Pick<Proofs, "found" | "reached"> = { found: new Map(), reached: new Set() };

/** Runs examples one after another, so that they do not crowd out other calls. */
export function useProofs(
  examples: readonly WorkedExample[],
  evaluate: (call: SharedCall) => Promise<Reply>,
): Proofs {
  const [proofs, setProofs] = useState(none);
  const [running, setRunning] = useState(false);
  const wanted = useRef<readonly WorkedExample[]>(undefined);
  useEffect(() => {
    wanted.current = examples;
    setProofs(none);
    setRunning(false);
    return () => {
      wanted.current = undefined;
    };
  }, [examples]);
  return {
    ...proofs,
    running,
    async runAll() {
      if (running) return;
      setRunning(true);
      const found = new Map<string, Proof>();
      const reached = new Set<string>();
      for (const { key, input, profile, expect } of examples) {
        const reply = await evaluate({ input, ...(profile === undefined ? {} : { profile }) });
        if (wanted.current !== examples) return;
        const rule = textOf(metaOf(reply), "matchedRule");
        if (rule !== undefined) reached.add(rule);
        if (expect !== undefined) found.set(key, proofOf(expect, reply));
        setProofs((before) => ({ ...before, found: new Map(found) }));
      }
      setProofs({ found, reached });
      setRunning(false);
    },
  };
}
