import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { DocsDecision } from "../model/data.js";
import { evaluatedRungs, ladderOf, type Reply, versionOf } from "../model/reply.js";
import { toFragment } from "../model/share-link.js";
import { announce } from "../model/verdict.js";
import { Choice } from "../parts/choice.js";
import { Answer } from "./answer.js";
import { CallFacts } from "./call-facts.js";
import { Ladder } from "./ladder.js";
import { SentValues } from "./sent-values.js";
import { UsedDecisions } from "./used-decisions.js";

interface OutcomeProps {
  readonly sectionRef: RefObject<HTMLElement | null>;
  readonly decision: DocsDecision;
  readonly reply: Reply | undefined;
  /** Why the outcome is not that of the form, where it is not and will not be by itself. */
  readonly stale: string | undefined;
  /** Whether calls need an API key. */
  readonly secured: boolean;
  readonly onRetry: () => void;
}

const views = [
  { value: "read", label: "Outcome" },
  { value: "json", label: "JSON" },
] as const;

/** The outcome of a call: the verdict and its reason, the output, the rules, and how the call went. */
export function Outcome({ sectionRef, decision, reply, stale, secured, onRetry }: OutcomeProps) {
  const { id, version, ruleIds, ruleDescriptions, outputSchema } = decision;
  const [view, setView] = useState<"read" | "json">("read");
  const evaluatedBy = versionOf(reply) ?? version;
  const evaluated = evaluatedRungs(reply?.body);
  return (
    <section class="card outcome" aria-labelledby="outcome-title" ref={sectionRef}>
      <div class="card-head">
        <h2 id="outcome-title">Outcome</h2>
        {reply?.live === true ? (
          <span class="tag live">
            Live preview<span class="hidden">, which counts neither in metrics nor in records</span>
          </span>
        ) : null}
        {reply === undefined ? null : (
          <Choice label="Outcome as" name="outcome-view" options={views} value={view} onChange={setView} />
        )}
      </div>
      <p class="hidden" role="status" aria-live="polite">
        {reply === undefined ? "" : announce(reply)}
      </p>
      {stale === undefined ? null : <p class="stale">{stale}</p>}
      {reply === undefined ? (
        <p class="field-description">Evaluate to see which rule matches, and why.</p>
      ) : (
        <Answer reply={reply} outputSchema={outputSchema} json={view === "json"} onRetry={onRetry} />
      )}
      {evaluatedBy === version ? (
        // Where no rule was reached, there is nothing to say about each of them.
        <Ladder
          rungs={ladderOf(ruleIds, evaluated.length === 0 ? undefined : reply)}
          descriptions={ruleDescriptions}
        />
      ) : (
        <>
          <p class="stale">
            The service chose version {evaluatedBy} for this call.{" "}
            <a href={toFragment(id, undefined, evaluatedBy)}>Show version {evaluatedBy}</a>
          </p>
          <Ladder rungs={evaluated} />
        </>
      )}
      {reply?.trace === undefined || (decision.uses.length === 0 && reply.trace.used.length === 0) ? null : (
        <UsedDecisions trace={reply.trace} />
      )}
      {reply === undefined ? null : <SentValues reply={reply} />}
      {reply === undefined ? null : (
        <CallFacts reply={reply} id={id} version={evaluatedBy} secured={secured} />
      )}
    </section>
  );
}
