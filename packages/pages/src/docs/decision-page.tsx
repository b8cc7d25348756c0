import { TryIt } from "../call/try-it.js";
import type { TryItProps } from "../call/use-try-it.js";
import { CompareScope } from "../compare/compare-panel.js";
import { FlipScope } from "../form/slider-bands.js";
import { isObject } from "../json/values.js";
import { toFragment } from "../model/call.js";
import type { DocsDecision, DocsListEntry, DocsRevision } from "../model/data.js";
import { utcTime } from "../model/dates.js";
import { Prose } from "../parts/code.js";
import { Icon } from "../parts/controls.js";
import { LoadFailure } from "../service/access.js";
import { evaluationPath, loadDecision, useLoaded } from "../service/api.js";
import { sizeText } from "./decision-list.js";
import { SchemaSection } from "./schema-section.js";
import { DeprecationNote, VersionMenu } from "./version-menu.js";

interface DecisionHeadProps {
  readonly decision: DocsDecision;
  /** The version that calls name, if they name one. */
  readonly pinned: string | undefined;
}

/** Description, meta, and whether the version goes away. The examples are on the form, the headline in the outcome. */
function DecisionHead({ decision, pinned }: DecisionHeadProps) {
  const { id, version, versions, description, uses, loaded, meta = {} } = decision;
  const entries = Object.entries(meta).filter(
    ([name, value]) =>
      !(name === "examples" && Array.isArray(value)) && !(name === "headline" && isObject(value)),
  );
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["Decided by", logicText(decision)],
    ...(loaded === undefined ? [] : [["Loaded", loadedText(loaded)] as const]),
    ...(uses.length === 0
      ? []
      : [["Uses", uses.map((one) => `${one.id} ${one.version}`).join(", ")] as const]),
    ...entries.map(([name, value]) => [labelOf(name), metaText(value)] as const),
  ];
  const deprecated = versions.find((one) => one.version === version)?.deprecated;
  return (
    <>
      {deprecated === undefined ? null : <DeprecationNote version={version} deprecated={deprecated} />}
      {description === undefined ? null : (
        <p class="lead">
          <Prose text={description} />
        </p>
      )}
      <dl class="meta">
        <div>
          <dt>Endpoint</dt>
          <dd>
            <code>POST /{evaluationPath({ id, version: pinned })}</code>
          </dd>
        </div>
        {facts.map(([name, value], index) => (
          <div key={String(index)}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Which set is in use, since when, and from which kind of place. */
function loadedText({ revision, source, since }: DocsRevision): string {
  const set = revision === undefined ? "" : `revision ${revision}, `;
  return `${set}since ${utcTime(since)} UTC${source === undefined ? "" : `, from ${source}`}`;
}

/** A key of the author's as a label: `notFor` is "Not for". */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/[-_]+/g, " ")
    .replaceAll(
      /([a-z])([A-Z])(?![A-Z])/g,
      (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Text as it is, and a list of texts with commas. */
function metaText(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value.join(", ")
    : JSON.stringify(value);
}

/** What is not an ordered list says itself which of its rules decide. */
function logicText(decision: DocsDecision): string {
  const size = sizeText(decision);
  return decision.mediaType === undefined ? `${size}, first match wins` : size;
}

interface DecisionPageProps extends Omit<TryItProps, "decision"> {
  /** Changes when the form is to start anew. */
  readonly formKey: string;
  /** Undefined for a decision that the service does not list. */
  readonly entry: DocsListEntry | undefined;
  /** Whether the catalogue has loaded, which says what the service offers. The decision loads at the same time. */
  readonly ready: boolean;
}

/** One version of a decision: what it is, a place to try it, and its schemas. */
export function DecisionPage({ formKey, entry, ready, ...props }: DecisionPageProps) {
  const { id, version, apiKey } = props;
  const loaded = useLoaded(() => loadDecision({ id, version }, apiKey), `${id} ${version ?? ""} ${apiKey}`);
  const decision = ready && loaded.state === "ready" ? loaded.value : undefined;
  // The title and its menu stay while another version loads, so the menu keeps the keyboard focus.
  return (
    <article class="decision">
      <header class="decision-head">
        <a class="back" href="#/">
          <Icon name="back" />
          All decisions
        </a>
        <div class="title">
          <h1>{id}</h1>
          {entry === undefined ? null : <VersionMenu entry={entry} version={version} />}
        </div>
        {decision === undefined ? null : <DecisionHead decision={decision} pinned={version} />}
      </header>
      {loaded.state === "loading" || !ready ? <Skeleton id={id} /> : null}
      {loaded.state === "failed" && ready ? (
        <div class="missing">
          <LoadFailure failure={loaded} />
        </div>
      ) : null}
      {loaded.state === "failed" && entry !== undefined && isGone(entry, version) ? (
        <p>
          <a href={toFragment(id, props.shared)}>
            {props.shared === undefined ? "Open" : "Try this call with"} version {entry.version}
          </a>
        </p>
      ) : null}
      <CompareScope version={decision?.version}>
        {decision === undefined ? null : (
          <FlipScope
            key={formKey}
            explains={props.explains}
            awaits={props.live || props.shared !== undefined}
          >
            <TryIt {...props} decision={decision}>
              <SchemaSection key={decision.version} decision={decision} />
            </TryIt>
          </FlipScope>
        )}
      </CompareScope>
    </article>
  );
}

/** Where the form and the outcome are about to be. */
function Skeleton({ id }: { readonly id: string }) {
  return (
    <div class="try skeleton" role="status">
      <span class="hidden">{`Loading ${id}…`}</span>
      <div class="card" />
      <div class="card" />
    </div>
  );
}

/** Whether the address names a version that the service does not have, as an old link may. */
function isGone({ version: standard, versions }: DocsListEntry, version: string | undefined): boolean {
  const served = versions?.map((one) => one.version) ?? [standard];
  return version !== undefined && !served.includes(version);
}
