import type { FieldExplanation, Flip } from "@decern/core/host";
import { useContext, useState } from "preact/hooks";
import type { JsonObject } from "../model/json.js";
import { fieldLabel } from "./field-label.js";
import { FlipContext } from "./flip-context.js";
import { flipSentence } from "./flip-text.js";

interface FlipPanelProps {
  readonly schema: JsonObject;
  /** Puts a value into the form; `undefined` leaves the field out. */
  readonly onApply: (pointer: string, value: unknown) => void;
}

const shownAtFirst = 4;

/** What would change the answer on screen, a sentence for each field. */
export function FlipPanel({ schema, onApply }: FlipPanelProps) {
  const { explained, stale } = useContext(FlipContext);
  const [all, setAll] = useState(false);
  if (explained === undefined) return null;
  const { fields, complete, evaluations } = explained.explanation;
  const flips = fields.flatMap((field) => {
    const flip = mostTelling(field);
    return flip === undefined ? [] : [{ field, flip }];
  });
  // Another rule says more than another number.
  flips.sort((one, other) => Number(other.flip.changesRule) - Number(one.flip.changesRule));
  const shown = all ? flips : flips.slice(0, shownAtFirst);
  return (
    <section class={stale ? "card flips stale-flips" : "card flips"} aria-labelledby="flips-title">
      <div class="card-head">
        <h2 id="flips-title">What would change it</h2>
      </div>
      {flips.length === 0 ? (
        <p class="field-description">
          {complete ? "No change of a single field changes this answer." : "Nothing was found."}
        </p>
      ) : (
        <ul>
          {shown.map(({ field, flip }) => (
            <li key={field.path}>
              <Sentence field={field} flip={flip} schema={schema} />
              <button type="button" class="quiet" onClick={() => onApply(field.path, flip.to)}>
                Try it<span class="hidden">: {fieldLabel(field.path, schema)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {flips.length > shown.length ? (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {`Show ${flips.length - shown.length} more`}
        </button>
      ) : null}
      <p class="field-description">
        {`One field at a time. ${evaluations.toLocaleString("en")} evaluations, not counted in metrics or records.`}
        {complete ? "" : " Not every field was searched."}
      </p>
    </section>
  );
}

function Sentence({
  field,
  flip,
  schema,
}: {
  readonly field: FieldExplanation;
  readonly flip: Flip;
  readonly schema: JsonObject;
}) {
  const { condition, rule, consequence } = flipSentence(fieldLabel(field.path, schema), field, flip);
  return (
    <p>
      {condition}
      {rule === undefined ? null : <code>{rule}</code>}
      {`${consequence}.`}
      {flip.isNearest ? null : <span class="field-description"> A nearer value may exist.</span>}
    </p>
  );
}

/** The nearest change of the rule, else the nearest of the output. */
function mostTelling({ flips }: FieldExplanation): Flip | undefined {
  return flips.find(({ changesRule }) => changesRule) ?? flips[0];
}
