import type { DocsDecision } from "../model/data.js";
import type { Reply } from "../model/reply.js";
import { LoadFailure } from "../service/access.js";
import { type DecisionRef, loadContent, useLoaded } from "../service/api.js";

/** Of the documents that this page shows as models. */
export const modelType = "application/vnd.decern.dmn+json";

interface ModelSectionProps {
  readonly decision: DocsDecision;
  readonly reference: DecisionRef;
  readonly apiKey: string;
  readonly reply: Reply | undefined;
}

/** Loads the documents of a decision that a model makes, and the code that shows them; nothing for any other decision. */
export function ModelSection({ decision, reference, apiKey, reply }: ModelSectionProps) {
  const isModel = decision.mediaType === modelType;
  const loaded = useLoaded(
    () => (isModel ? loadModel(reference, apiKey) : Promise.resolve(undefined)),
    `${decision.contentHash ?? ""} ${apiKey}`,
  );
  if (!isModel) return null;
  if (loaded.state === "ready" && loaded.value !== undefined) {
    const { ModelCard, content } = loaded.value;
    return <ModelCard {...{ decision, content, reply }} />;
  }
  return (
    <section class="card" aria-labelledby="model-title">
      <h2 id="model-title">Model</h2>
      {loaded.state === "failed" ? <LoadFailure failure={loaded} /> : <p role="status">Loading the model…</p>}
    </section>
  );
}

async function loadModel(reference: DecisionRef, apiKey: string) {
  const [content, { ModelCard }] = await Promise.all([
    loadContent(reference, apiKey),
    import("./model-card.js"),
  ]);
  return { content, ModelCard };
}
