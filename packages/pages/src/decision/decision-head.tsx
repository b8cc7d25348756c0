import type { DocsDecision } from "../model/data.js";
import { evaluationPath } from "../service/api.js";
import { DeprecationNote } from "./deprecation-note.js";

interface DecisionHeadProps {
  readonly decision: DocsDecision;
  /** The version that calls name, if they name one. */
  readonly pinned: string | undefined;
}

/** Description, meta, and whether the version goes away. The examples are on the form. */
export function DecisionHead({ decision, pinned }: DecisionHeadProps) {
  const { id, version, versions, description, uses, meta = {} } = decision;
  const entries = Object.entries(meta).filter(
    ([name, value]) => name !== "examples" || !Array.isArray(value),
  );
  const deprecated = versions.find((one) => one.version === version)?.deprecated;
  return (
    <>
      {deprecated === undefined ? null : <DeprecationNote version={version} deprecated={deprecated} />}
      {description === undefined ? null : <p class="lead">{description}</p>}
      <dl class="meta">
        <div>
          <dt>Endpoint</dt>
          <dd>
            <code>POST /{evaluationPath({ id, version: pinned })}</code>
          </dd>
        </div>
        <div>
          <dt>Rules</dt>
          <dd>{rulesText(decision.ruleIds.length)}</dd>
        </div>
        {uses.length === 0 ? null : (
          <div>
            <dt>Uses</dt>
            <dd>{uses.map((used) => `${used.id} ${used.version}`).join(", ")}</dd>
          </div>
        )}
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{metaText(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
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

function rulesText(count: number): string {
  return `${count} ${count === 1 ? "rule" : "rules"}, first match wins`;
}
