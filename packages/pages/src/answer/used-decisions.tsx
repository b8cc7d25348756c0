import { useState } from "preact/hooks";
import { isObject, own, textOf } from "../json/values.js";
import { evaluatedRungs, toneOf } from "../model/reply.js";
import { type Trace, textOrRemoved, type Used } from "../model/trace.js";
import { JsonCode } from "../parts/code.js";
import { Rungs } from "./rungs.js";

/** Up to this many evaluations are shown open at first. */
const fewEvaluations = 3;

interface UsedDecisionsProps {
  readonly trace: Trace;
  readonly title?: string;
}

/** The evaluations of other decisions that the rules made, each with its own ladder and with what it used itself. */
export function UsedDecisions({ trace: { used, truncated }, title = "Decisions used" }: UsedDecisionsProps) {
  return (
    <section class="used" aria-label={title}>
      <h3>{title}</h3>
      {used.length === 0 ? <p class="field-description">The rules used no other decision.</p> : null}
      <UsedList used={used} above="" />
      {truncated ? <p class="field-description">The trace is too long. The rest is left out.</p> : null}
    </section>
  );
}

interface UsedListProps {
  readonly used: readonly Used[];
  /** The number of the evaluation that made these, with a dot, such as `2.1.`; empty at the top. */
  readonly above: string;
}

function UsedList({ used, above }: UsedListProps) {
  if (used.length === 0) return null;
  return (
    <ol class="used-list">
      {used.map((one, index) => {
        const number = `${above}${index + 1}`;
        return (
          <li key={number}>
            <UsedEvaluation one={one} number={number} startsOpen={used.length <= fewEvaluations} />
          </li>
        );
      })}
    </ol>
  );
}

interface UsedEvaluationProps {
  readonly one: Used;
  readonly number: string;
  readonly startsOpen: boolean;
}

/** There may be a thousand of these, so one that is closed draws only its title. */
function UsedEvaluation({ one, number, startsOpen }: UsedEvaluationProps) {
  const { id, version, profileHash, input, envelope, used } = one;
  const [open, setOpen] = useState(startsOpen);
  const status = (isObject(envelope) ? textOf(envelope, "status") : undefined) ?? "";
  const message = isObject(envelope) ? textOrRemoved(envelope, "message") : undefined;
  const data = isObject(envelope) ? own(envelope, "data") : undefined;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code class="used-name">{id}</code>
        <span class="version">{version}</span>
        <strong class={`used-status ${toneOf(status)}`}>{status.replaceAll("_", " ")}</strong>
      </summary>
      {open ? (
        <div class="used-body">
          {message === undefined ? null : <p class="message">{message}</p>}
          <Rungs rungs={evaluatedRungs(envelope)} />
          <div class="used-values">
            {input === undefined ? null : (
              <div class="used-value">
                <h4>Input</h4>
                <JsonCode value={input} label={`Input of ${number} ${id}`} />
              </div>
            )}
            {data === undefined ? null : (
              <div class="used-value">
                <h4>Result</h4>
                <JsonCode value={data} label={`Result of ${number} ${id}`} />
              </div>
            )}
          </div>
          {profileHash === undefined ? null : (
            <p class="field-description">
              Profile <code>{profileHash}</code>
            </p>
          )}
          <UsedList used={used} above={`${number}.`} />
        </div>
      ) : null}
    </details>
  );
}
