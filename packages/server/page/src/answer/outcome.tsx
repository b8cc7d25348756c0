import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { JsonObject } from "../model/json.js";
import { announce, ladderOf, type Reply } from "../model/reply.js";
import { Choice } from "../parts/choice.js";
import { Answer } from "./answer.js";
import { Ladder } from "./ladder.js";

interface OutcomeProps {
  readonly sectionRef: RefObject<HTMLElement | null>;
  readonly ruleIds: readonly string[];
  readonly outputSchema: JsonObject;
  readonly reply: Reply | undefined;
  /** Whether the form has changed since. */
  readonly stale: boolean;
}

const views = [
  { value: "read", label: "Outcome" },
  { value: "json", label: "JSON" },
] as const;

/** The outcome of a call: status, data, rules, errors, timing and request id. */
export function Outcome({ sectionRef, ruleIds, outputSchema, reply, stale }: OutcomeProps) {
  const [view, setView] = useState<"read" | "json">("read");
  return (
    <section class="card outcome" aria-labelledby="outcome-title" ref={sectionRef}>
      <div class="card-head">
        <h2 id="outcome-title">Outcome</h2>
        {reply === undefined ? null : (
          <Choice label="Outcome as" name="outcome-view" options={views} value={view} onChange={setView} />
        )}
      </div>
      <p class="hidden" role="status" aria-live="polite">
        {reply === undefined ? "" : announce(reply)}
      </p>
      {stale ? <p class="stale">The form has changed. Evaluate again.</p> : null}
      {reply === undefined ? (
        <p class="field-description">Evaluate to see which rule matches, and why.</p>
      ) : (
        <Answer reply={reply} outputSchema={outputSchema} json={view === "json"} />
      )}
      <Ladder rungs={ladderOf(ruleIds, reply)} />
    </section>
  );
}
