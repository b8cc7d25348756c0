import { loadDecision } from "./api.js";
import { DecisionHead } from "./decision-head.js";
import type { SharedCall } from "./model/share-link.js";
import { SchemaSection } from "./schema-section.js";
import { TryIt } from "./try-it.js";
import { useLoaded } from "./use-loaded.js";

export interface DecisionPageProps {
  readonly id: string;
  /** A call to restore, from a share link. */
  readonly shared: SharedCall | undefined;
  readonly apiKey: string;
  readonly secured: boolean;
  readonly profileOverride: boolean;
}

/** One decision: what it is, a place to try it, and its schemas. */
export function DecisionPage(props: DecisionPageProps) {
  const { id, apiKey } = props;
  const loaded = useLoaded(() => loadDecision(id, apiKey), `${id} ${apiKey}`);
  if (loaded.state === "loading") return <p class="empty" role="status">{`Loading ${id}…`}</p>;
  if (loaded.state === "failed") {
    return (
      <div class="notice">
        <h1>{id}</h1>
        <p role="alert">{loaded.message}</p>
      </div>
    );
  }
  const decision = loaded.value;
  return (
    <article class="decision">
      <DecisionHead decision={decision} />
      <TryIt {...props} decision={decision} />
      <SchemaSection decision={decision} />
    </article>
  );
}
