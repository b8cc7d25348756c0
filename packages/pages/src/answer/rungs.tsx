import { foldedRungs, type RuleState, type Rung } from "../model/reply.js";
import { Prose } from "../parts/code.js";
import { Icon } from "../parts/controls.js";

const words = { hit: "Matched", miss: "Not matched", unreached: "Not reached", pending: "" } as const;

const folded = {
  hit: "matched",
  miss: "did not match",
  unreached: "were not reached",
  pending: "follow",
} as const satisfies Record<RuleState, string>;

const icons = { hit: "check", miss: "dash", unreached: "dot", pending: "dot" } as const satisfies Record<
  RuleState,
  string
>;

type Descriptions = Readonly<Record<string, string>>;

interface RungsProps {
  readonly rungs: readonly Rung[];
  /** What rules are for, by rule id. */
  readonly descriptions?: Descriptions | undefined;
  /** Why rules did not match, by rule id, as far as that is known. */
  readonly misses?: Descriptions | undefined;
}

/** The rules of one evaluation, in order. What many rules in a row have in common is one line, which unfolds. */
export function Rungs({ rungs, descriptions = {}, misses = {} }: RungsProps) {
  return (
    <ol class="rungs">
      {foldedRungs(rungs).map((run) =>
        run.folded ? (
          <li key={`${run.state} ${run.rungs[0]?.id}`} class={`folded ${run.state}`}>
            <RungMark state={run.state} />
            <details>
              <summary>
                {run.rungs.length} rules {folded[run.state]}
              </summary>
              <ol class="rungs">
                {run.rungs.map((rung) => (
                  <RungItem key={rung.id} {...{ rung, descriptions, misses }} />
                ))}
              </ol>
            </details>
          </li>
        ) : (
          run.rungs.map((rung) => <RungItem key={rung.id} {...{ rung, descriptions, misses }} />)
        ),
      )}
    </ol>
  );
}

interface RungItemProps {
  readonly rung: Rung;
  readonly descriptions: Descriptions;
  readonly misses: Descriptions;
}

function RungItem({ rung: { id, state, explanation }, descriptions, misses }: RungItemProps) {
  return (
    <li class={state}>
      <RungMark state={state} />
      <div class="rung-body">
        <span class="rung-line">
          <code>{id}</code>
          {words[state] === "" ? null : <span class="rung-state">{words[state]}</span>}
        </span>
        {explanation === undefined ? null : <p>{explanation}</p>}
        {state === "miss" && Object.hasOwn(misses, id) ? <p class="rung-miss">{misses[id]}</p> : null}
        {Object.hasOwn(descriptions, id) ? (
          <p class="rung-about">
            <Prose text={descriptions[id] ?? ""} />
          </p>
        ) : null}
      </div>
    </li>
  );
}

function RungMark({ state }: { readonly state: RuleState }) {
  return (
    <span class="rung-mark">
      <Icon name={icons[state]} />
    </span>
  );
}

interface LadderProps extends RungsProps {
  /** @default what a list of rules is */
  readonly title?: string;
}

/** The title of a ladder that has only what decided, in no order that the author has given. */
export const deciding = "What decided";

/** The rules, what each is for, and how far the evaluation got. */
export function Ladder({ title = "Rules, in order", ...props }: LadderProps) {
  if (props.rungs.length === 0) return null;
  return (
    <section class="ladder" aria-labelledby="rules-title">
      <h3 id="rules-title">{title}</h3>
      <Rungs {...props} />
    </section>
  );
}
