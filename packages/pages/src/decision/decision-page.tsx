import { TryIt, type TryItProps } from "../call/try-it.js";
import { CompareScope } from "../compare/compare-scope.js";
import { FlipScope } from "../flip/flip-scope.js";
import type { DocsListEntry } from "../model/data.js";
import { toFragment } from "../model/share-link.js";
import { Icon } from "../parts/icons.js";
import { SchemaSection } from "../schema/schema-section.js";
import { loadDecision } from "../service/api.js";
import { LoadFailure } from "../service/load-failure.js";
import { useLoaded } from "../service/use-loaded.js";
import { DecisionHead } from "./decision-head.js";
import { VersionMenu } from "./version-menu.js";

interface DecisionPageProps extends Omit<TryItProps, "decision"> {
  /** Changes when the form is to start anew. */
  readonly formKey: string;
  /** Undefined for a decision that the service does not list. */
  readonly entry: DocsListEntry | undefined;
}

/** One version of a decision: what it is, a place to try it, and its schemas. */
export function DecisionPage({ formKey, entry, ...props }: DecisionPageProps) {
  const { id, version, apiKey } = props;
  const loaded = useLoaded(() => loadDecision({ id, version }, apiKey), `${id} ${version ?? ""} ${apiKey}`);
  const decision = loaded.state === "ready" ? loaded.value : undefined;
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
      {loaded.state === "loading" ? <p class="empty" role="status">{`Loading ${id}…`}</p> : null}
      {loaded.state === "failed" ? (
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
      <CompareScope>
        {decision === undefined ? null : (
          <>
            <FlipScope key={formKey}>
              <TryIt {...props} decision={decision} />
            </FlipScope>
            <SchemaSection key={decision.version} decision={decision} />
          </>
        )}
      </CompareScope>
    </article>
  );
}

/** Whether the address names a version that the service does not have, as an old link may. */
function isGone({ version: standard, versions }: DocsListEntry, version: string | undefined): boolean {
  const served = versions?.map((one) => one.version) ?? [standard];
  return version !== undefined && !served.includes(version);
}
