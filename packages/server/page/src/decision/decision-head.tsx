import type { DocsDecision } from "../../../src/docs/docs-data.js";
import { Icon } from "../parts/icons.js";

/** Id, version, description and meta. The examples are on the form. */
export function DecisionHead({ decision }: { readonly decision: DocsDecision }) {
  const { id, version, description, meta = {} } = decision;
  const entries = Object.entries(meta).filter(
    ([name, value]) => name !== "examples" || !Array.isArray(value),
  );
  return (
    <header class="decision-head">
      <a class="back" href="#/">
        <Icon name="back" />
        All decisions
      </a>
      <div class="title">
        <h1>{id}</h1>
        <span class="version">{version}</span>
      </div>
      {description === undefined ? null : <p class="lead">{description}</p>}
      <dl class="meta">
        <div>
          <dt>endpoint</dt>
          <dd>
            <code>POST /decisions/{id}</code>
          </dd>
        </div>
        <div>
          <dt>rules</dt>
          <dd>{rulesText(decision.ruleIds.length)}</dd>
        </div>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

function rulesText(count: number): string {
  return `${count} ${count === 1 ? "rule" : "rules"}, first match wins`;
}
