import { TryIt, type TryItProps } from "../call/try-it.js";
import { SchemaSection } from "../schema/schema-section.js";
import { loadDecision } from "../service/api.js";
import { useLoaded } from "../service/use-loaded.js";
import { DecisionHead } from "./decision-head.js";

/** One decision: what it is, a place to try it, and its schemas. */
export function DecisionPage(props: Omit<TryItProps, "decision">) {
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
