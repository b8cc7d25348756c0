import "../styles/dmn.css";
import { useMemo } from "preact/hooks";
import { own } from "../json/values.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { evaluatedRungs, type Reply } from "../model/reply.js";
import { JsonCode, Prose } from "../parts/code.js";
import { QuietButton } from "../parts/controls.js";
import { Boxed } from "./boxed.js";
import { type ModelPart, readModel } from "./read-model.js";

interface ModelCardProps {
  readonly decision: DocsDecision;
  readonly content: DocsContent;
  /** Whose rows are marked, and whose values are shown. */
  readonly reply: Reply | undefined;
}

/** A decision of a model and what it requires, each with its expression. Pages of other decisions do not load it. */
export function ModelCard({ decision, content, reply }: ModelCardProps) {
  const parts = useMemo(() => readModel(content.document, decision.id), [content, decision]);
  const matched = useMemo(
    // Also the rows of required decisions.
    () => new Set(evaluatedRungs(reply?.body).map(({ id }) => id)),
    [reply],
  );
  const values = reply?.trace?.parts ?? {};
  return (
    <section class="card model-card" aria-labelledby="model-title">
      <h2 id="model-title">Model</h2>
      <ol>
        {parts.map((part) => (
          <li key={part.key}>
            <Part part={part} matched={matched} value={own(values, part.key)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface PartProps {
  readonly part: ModelPart;
  readonly matched: ReadonlySet<string>;
  /** What it came to. Undefined where it was not evaluated. */
  readonly value: unknown;
}

function Part({ part, matched, value }: PartProps) {
  const { key, kind, name, type, description, requires, logic } = part;
  return (
    <>
      <h3 id={anchorOf(key)} tabIndex={-1}>
        {name} <span class="kind">{kind}</span>
        {type === undefined ? null : <span class="type">{type}</span>}
      </h3>
      {description === undefined ? null : (
        <p>
          <Prose text={description} />
        </p>
      )}
      {requires.length === 0 ? null : (
        <p class="requires">
          Requires
          {requires.map((each) => (
            // The address names the page, so what is on it has no address of its own.
            <QuietButton key={each.key} onClick={() => goTo(each.key)}>
              {each.name}
            </QuietButton>
          ))}
        </p>
      )}
      <Boxed box={logic} path={name} matched={matched} />
      {value === undefined ? null : (
        <div class="value">
          <span class="kind">Value</span>
          <JsonCode value={value} label={`Value of ${name}`} />
        </div>
      )}
    </>
  );
}

function anchorOf(key: string): string {
  return `model:${key}`;
}

function goTo(key: string): void {
  document.getElementById(anchorOf(key))?.focus();
}
