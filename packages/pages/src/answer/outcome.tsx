import type { ComponentChildren, RefObject } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { FlipContext } from "../form/slider-bands.js";
import { propertiesOf } from "../json/field-kind.js";
import { resolveSchema } from "../json/schema.js";
import { isObject, type JsonObject, own, pretty, sameJson } from "../json/values.js";
import { sentCall, toFragment } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import { utcTime } from "../model/dates.js";
import { nearMisses } from "../model/flip-text.js";
import {
  announce,
  evaluatedRungs,
  ladderOf,
  metaOf,
  type Reply,
  statusOf,
  toneOf,
  versionOf,
} from "../model/reply.js";
import { isTestable, testSnippet } from "../model/snippets.js";
import { useLatest } from "../parts/browser.js";
import { CodeBlock } from "../parts/code.js";
import { Choice, CopyButton } from "../parts/controls.js";
import { serviceUrl } from "../service/api.js";
import { Answer, DataList } from "./answer.js";
import { deciding, Ladder } from "./rungs.js";
import { UsedDecisions } from "./used-decisions.js";

interface OutcomeProps {
  readonly sectionRef: RefObject<HTMLElement | null>;
  readonly decision: DocsDecision;
  readonly reply: Reply | undefined;
  /** Why the outcome is not that of the form, where it is not and will not be by itself. */
  readonly stale: string | undefined;
  /** Whether another outcome is about to replace this one. */
  readonly updating: boolean;
  /** How many fields are still empty, where that is all that is wrong. */
  readonly missing: number;
  /** What to say before there is an outcome. */
  readonly waiting: string;
  readonly onRetry: () => void;
}

const views = [
  { value: "read", label: "Outcome" },
  { value: "json", label: "JSON" },
] as const;

/** The result of a call: its headline and reason, and the output. */
export function Outcome(props: OutcomeProps) {
  const { sectionRef, decision, reply, stale, updating, missing, waiting, onRetry } = props;
  const [view, setView] = useState<"read" | "json">("read");
  const { meta, outputSchema } = decision;
  const retry = useLatest(onRetry);
  // The same for as long as the reply is: a result with hundreds of values is not drawn again with each key.
  const answer = useMemo(
    () =>
      reply === undefined ? null : (
        <Answer
          {...{ reply, meta, outputSchema }}
          json={view === "json"}
          hasForm={true}
          onRetry={() => retry.current()}
        />
      ),
    [reply, meta, outputSchema, view],
  );
  const sent = useMemo(() => (reply === undefined ? null : <SentValues reply={reply} />), [reply]);
  return (
    <section
      class={updating || stale !== undefined ? "card outcome old" : "card outcome"}
      aria-labelledby="outcome-title"
      aria-busy={updating}
      ref={sectionRef}
    >
      <div class="card-head">
        <h2 id="outcome-title">Outcome</h2>
        <OutcomeTag reply={reply} updating={updating} />
        {reply === undefined ? null : (
          <Choice label="Outcome as" name="outcome-view" options={views} value={view} onChange={setView} />
        )}
      </div>
      <p class="hidden" role="status" aria-live="polite">
        {reply === undefined || updating ? "" : missing > 0 ? missingText(missing) : announce(reply, meta)}
      </p>
      {stale === undefined ? null : <p class="stale">{stale}</p>}
      {reply === undefined || missing > 0 ? (
        <NothingYet decision={decision} text={reply === undefined ? waiting : missingText(missing)} />
      ) : (
        answer
      )}
      {sent}
    </section>
  );
}

/** What to do where the input is only incomplete. */
export function missingText(count: number): string {
  return `Fill in ${count} more ${count === 1 ? "field" : "fields"}`;
}

/** Whether the outcome is about to be replaced, or counts nowhere. */
function OutcomeTag({ reply, updating }: Pick<OutcomeProps, "reply" | "updating">) {
  if (updating) return <span class="tag updating">Updating…</span>;
  if (reply?.live !== true || reply.httpStatus === 0) return null;
  return (
    <span class={toneOf(statusOf(reply)) === "bad" ? "tag" : "tag live"}>
      Live preview<span class="hidden">, which counts neither in metrics nor in records</span>
    </span>
  );
}

/** Takes as much room as the outcome will, so that nothing below moves when it comes. */
function NothingYet({ decision, text }: Pick<OutcomeProps, "decision"> & { readonly text: string }) {
  const { outputSchema, meta } = decision;
  const outputs = propertiesOf(resolveSchema(outputSchema, outputSchema));
  const blank = Object.fromEntries(outputs.map(({ name }) => [name, "–"]));
  return (
    <>
      <div class="headline none">
        {isObject(meta) && own(meta, "headline") !== undefined ? <p class="answer">No outcome yet</p> : null}
        <p class="waiting">{text}</p>
      </div>
      {outputs.length === 0 ? null : (
        <div class="blank" aria-hidden="true">
          <DataList data={blank} schema={outputSchema} />
        </div>
      )}
    </>
  );
}

interface ReasonsProps extends Pick<OutcomeProps, "decision" | "reply"> {
  /** Whether calls need an API key. */
  readonly secured: boolean;
  /** Where the page of records is. Undefined where there is none. */
  readonly records: string | undefined;
  /** What to show in place of the rules of a decision that is not a list of them. */
  readonly children?: ComponentChildren;
}

/** What led to an outcome: every rule, the decisions that they used, and how the call went. */
export function Reasons({ decision, reply, children, ...links }: ReasonsProps) {
  const { id, version, mediaType, ruleIds, ruleDescriptions, uses } = decision;
  const evaluatedBy = versionOf(reply) ?? version;
  const evaluated = evaluatedRungs(reply?.body);
  const misses = useNearMisses(reply, decision.inputSchema);
  return (
    <>
      {evaluatedBy === version && mediaType !== undefined ? (
        (children ??
        (reply === undefined ? (
          <p class="empty">What decided appears here with the outcome.</p>
        ) : (
          <Ladder title={deciding} rungs={evaluated} descriptions={ruleDescriptions} />
        )))
      ) : evaluatedBy === version ? (
        // Where no rule was reached, there is nothing to say about each of them.
        <Ladder
          rungs={ladderOf(ruleIds, evaluated.length === 0 ? undefined : reply)}
          descriptions={ruleDescriptions}
          misses={misses}
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
      {reply?.trace === undefined || (uses.length === 0 && reply.trace.used.length === 0) ? null : (
        <UsedDecisions trace={reply.trace} />
      )}
      {reply === undefined ? null : <CallFacts reply={reply} id={id} version={evaluatedBy} {...links} />}
    </>
  );
}

/** Why rules did not match, once the service has explained the result on screen. */
function useNearMisses(reply: Reply | undefined, schema: JsonObject) {
  const { explained, stale } = useContext(FlipContext);
  const isCurrent = explained !== undefined && !stale && sameJson(explained.call, reply && sentCall(reply));
  return isCurrent ? nearMisses(explained.explanation, schema) : {};
}

interface CallFactsProps extends Pick<ReasonsProps, "secured" | "records"> {
  readonly reply: Reply;
  readonly id: string;
  /** The version that evaluated. */
  readonly version: string;
}

/** How the call went, for those who look into the transport: HTTP status, time taken, instant, request id, record. */
function CallFacts({ reply, id, version, secured, records }: CallFactsProps) {
  const { httpStatus, milliseconds, requestId, recordId } = reply;
  const evaluatedAt = metaOf(reply)["evaluatedAt"];
  return (
    <div class="call-facts">
      <div class="status-line">
        {httpStatus === 0 ? null : <span>HTTP {httpStatus}</span>}
        <span>{milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms</span>
        {typeof evaluatedAt === "string" ? (
          <time dateTime={evaluatedAt}>{utcTime(evaluatedAt)} UTC</time>
        ) : null}
        {recordId === undefined || records === undefined ? null : (
          <a href={`${records}#/${encodeURIComponent(recordId)}`}>Record of this call</a>
        )}
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

/** The call that a reply belongs to, and the version that was evaluated. Only on paper, where the form does not appear. */
function SentValues({ reply }: { readonly reply: Reply }) {
  const { input, profile, profileName } = sentCall(reply);
  const version = versionOf(reply);
  return (
    <div class="on-paper">
      {version === undefined ? null : <p>Evaluated by version {version}</p>}
      <h3>Input</h3>
      <CodeBlock label="Input that was sent">{pretty(input)}</CodeBlock>
      {profile === undefined ? null : (
        <>
          <h3>Profile</h3>
          <CodeBlock label="Profile that was sent">{pretty(profile)}</CodeBlock>
        </>
      )}
      {profileName === undefined || profile !== undefined ? null : <p>Profile: {profileName}</p>}
    </div>
  );
}
