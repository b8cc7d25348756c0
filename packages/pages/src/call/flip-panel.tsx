import type { Explanation, FieldExplanation, Flip } from "@decern/core";
import { useContext, useEffect, useState } from "preact/hooks";
import { FlipContext } from "../form/slider-bands.js";
import { type JsonObject, sameJson } from "../json/values.js";
import { type SharedCall, sentCall } from "../model/call.js";
import { fieldLabel, flipSentence } from "../model/flip-text.js";
import { type Reply, statusOf } from "../model/reply.js";
import { evaluationPath, load } from "../service/api.js";

interface FlipPanelProps {
  readonly schema: JsonObject;
  /** Puts a value into the form; `undefined` leaves the field out. */
  readonly onApply: (pointer: string, value: unknown) => void;
}

const shownAtFirst = 4;

/** What would change the result on screen, a sentence for each field. */
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
          {complete ? "No change of a single field changes this result." : "Nothing was found."}
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

interface Answered {
  readonly id: string;
  readonly version: string | undefined;
  readonly apiKey: string;
  /** Whether the service explains results. */
  readonly explains: boolean;
  /** The call in the form. */
  readonly call: SharedCall;
  readonly reply: Reply | undefined;
}

/** Asks what would change each result that the page shows. */
export function useExplanation({ id, version, apiKey, explains, call, reply }: Answered): void {
  const { explained, stale, show } = useContext(FlipContext);
  useEffect(() => {
    if (!explains || reply === undefined || !["OK", "NO_MATCH"].includes(statusOf(reply))) {
      show({ explained: undefined, stale: false });
      return;
    }
    let wanted = true;
    const sent = sentCall(reply);
    load<Explanation>(`${evaluationPath({ id, version })}/explain`, apiKey, sent).then(
      (explanation) => {
        if (wanted) show({ explained: { call: sent, explanation }, stale: false });
      },
      // The result itself is still there. The next one asks again.
      () => {
        if (wanted) show({ explained: undefined, stale: false });
      },
    );
    return () => {
      wanted = false;
    };
  }, [id, version, apiKey, explains, reply]);
  const isOutdated = explained !== undefined && !sameJson(explained.call, call);
  useEffect(() => {
    if (explained !== undefined && isOutdated !== stale) show({ explained, stale: isOutdated });
  }, [explained, isOutdated, stale]);
}
