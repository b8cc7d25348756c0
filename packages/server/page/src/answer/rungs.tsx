import type { RuleState, Rung } from "../model/reply.js";
import { Icon } from "../parts/icons.js";

const words = { hit: "Matched", miss: "Not matched", unreached: "Not reached", pending: "" } as const;
const icons = { hit: "check", miss: "dash", unreached: "dot", pending: "dot" } as const satisfies Record<
  RuleState,
  string
>;

interface RungsProps {
  readonly rungs: readonly Rung[];
  /** What rules are for, by rule id. */
  readonly descriptions?: Readonly<Record<string, string>> | undefined;
}

/** The rules of one evaluation, in order. */
export function Rungs({ rungs, descriptions = {} }: RungsProps) {
  return (
    <ol class="rungs">
      {rungs.map(({ id, state, explanation }) => (
        <li key={id} class={state}>
          <span class="rung-mark">
            <Icon name={icons[state]} />
          </span>
          <div class="rung-body">
            <span class="rung-line">
              <code>{id}</code>
              {words[state] === "" ? null : <span class="rung-state">{words[state]}</span>}
            </span>
            {explanation === undefined ? null : <p>{explanation}</p>}
            {Object.hasOwn(descriptions, id) ? <p class="rung-about">{descriptions[id]}</p> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
