import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { DocsDecision } from "../../../src/docs/docs-data.js";
import { announce, evaluatedRungs, ladderOf, type Reply, versionOf } from "../model/reply.js";
import { toFragment } from "../model/share-link.js";
import { Choice } from "../parts/choice.js";
import { Answer } from "./answer.js";
import { Ladder } from "./ladder.js";
import { UsedDecisions } from "./used-decisions.js";

interface OutcomeProps {
  readonly sectionRef: RefObject<HTMLElement | null>;
  readonly decision: DocsDecision;
  readonly reply: Reply | undefined;
  /** Whether the form has changed since. */
  readonly stale: boolean;
}

const views = [
  { value: "read", label: "Outcome" },
  { value: "json", label: "JSON" },
] as const;

/** The outcome of a call: status, data, rules, errors, timing and request id. */
export function Outcome({ sectionRef, decision, reply, stale }: OutcomeProps) {
  const { id, version, ruleIds, outputSchema } = decision;
  const [view, setView] = useState<"read" | "json">("read");
  const evaluatedBy = versionOf(reply) ?? version;
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
      {evaluatedBy === version ? (
        <Ladder rungs={ladderOf(ruleIds, reply)} />
      ) : (
        <>
          <p class="stale">
            The service chose version {evaluatedBy} for this call.{" "}
            <a href={toFragment(id, undefined, evaluatedBy)}>Show version {evaluatedBy}</a>
          </p>
          <Ladder rungs={evaluatedRungs(reply?.body)} />
        </>
      )}
      {reply?.trace === undefined ? null : <UsedDecisions trace={reply.trace} />}
    </section>
  );
}
