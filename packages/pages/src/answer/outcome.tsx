import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { sentCall, toFragment } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import { announce, evaluatedRungs, ladderOf, metaOf, type Reply, versionOf } from "../model/reply.js";
import { isTestable, testSnippet } from "../model/snippets.js";
import { JsonCode } from "../parts/code.js";
import { Choice, CopyButton } from "../parts/controls.js";
import { serviceUrl } from "../service/api.js";
import { Answer } from "./answer.js";
import { Ladder } from "./rungs.js";
import { UsedDecisions } from "./used-decisions.js";

interface CallFactsProps {
  readonly reply: Reply;
  readonly id: string;
  /** The version that evaluated. */
  readonly version: string;
  /** Whether calls need an API key. */
  readonly secured: boolean;
}

/** How the call went, for those who look into the transport: HTTP status, time taken, instant and request id. */
function CallFacts({ reply, id, version, secured }: CallFactsProps) {
  const { httpStatus, milliseconds, requestId } = reply;
  const evaluatedAt = metaOf(reply)["evaluatedAt"];
  return (
    <div class="call-facts">
      <div class="status-line">
        {httpStatus === 0 ? null : <span>HTTP {httpStatus}</span>}
        <span>{milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms</span>
        {typeof evaluatedAt === "string" ? (
          <time dateTime={evaluatedAt}>{clockTime(evaluatedAt)}</time>
        ) : null}
      </div>
      {requestId === undefined ? null : (
        <p class="request-id">
          <span>x-request-id</span>
          <code>{requestId}</code>
          <CopyButton label="Copy" text={() => requestId} />
        </p>
      )}
      {isTestable(reply) ? (
        <div class="copies">
          <CopyButton
            label="Copy as test"
            done="Test copied"
            text={() => testSnippet(reply, { service: serviceUrl(), id, version, secured })}
          />
        </div>
      ) : null}
    </div>
  );
}

function clockTime(iso: string): string {
  return iso.replace("T", " ").replace("Z", " UTC");
}

/** The call that a reply belongs to, and the version that did. Only on paper, where the form does not appear. */
function SentValues({ reply }: { readonly reply: Reply }) {
  const { input, profile, profileName } = sentCall(reply);
  const version = versionOf(reply);
  return (
    <div class="on-paper">
      {version === undefined ? null : <p>Evaluated by version {version}</p>}
      <h3>Input</h3>
      <JsonCode value={input} label="Input that was sent" />
      {profile === undefined ? null : (
        <>
          <h3>Profile</h3>
          <JsonCode value={profile} label="Profile that was sent" />
        </>
      )}
      {profileName === undefined || profile !== undefined ? null : <p>Profile: {profileName}</p>}
    </div>
  );
}

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

/** The outcome of a call: the result and its reason, the output, the rules, and how the call went. */
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
