import type { Explanation, FieldExplanation, Flip } from "@decern/core";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { type Explained, FlipContext } from "../form/slider-bands.js";
import { type JsonObject, sameJson } from "../json/values.js";
import { type SharedCall, sentCall } from "../model/call.js";
import { fieldLabel, flipSentence } from "../model/flip-text.js";
import { type Reply, statusOf } from "../model/reply.js";
import { QuietButton } from "../parts/controls.js";
import { evaluationPath, load } from "../service/api.js";

interface FlipPanelProps {
  readonly schema: JsonObject;
  /** Puts a value into the form; `undefined` leaves the field out. */
  readonly onApply: (pointer: string, value: unknown) => void;
}

const shownAtFirst = 3;

/** What would change the result on screen, a sentence for each field. Takes its room before there is anything to say. */
export function FlipPanel({ schema, onApply }: FlipPanelProps) {
  const { explained, stale, searching } = useContext(FlipContext);
  const [all, setAll] = useState(false);
  if (explained === undefined && !searching) return null;
  const flips = explained === undefined ? [] : flipsOf(explained.explanation);
  const shown = all ? flips : flips.slice(0, shownAtFirst);
  return (
    <section
      class={stale ? "flips old" : "flips"}
      aria-labelledby="flips-title"
      aria-busy={stale || searching}
    >
      <div class="flips-head">
        <h3 id="flips-title">What would change it</h3>
        {stale || searching ? <span class="tag updating">Updating…</span> : null}
      </div>
      {shown.length === 0 ? null : (
        <ul>
          {shown.map(({ field, flip }) => (
            <li key={field.path}>
              <Sentence field={field} flip={flip} schema={schema} />
              <QuietButton isOff={stale} onClick={() => onApply(field.path, flip.to)}>
                Try it<span class="hidden">: {fieldLabel(field.path, schema)}</span>
              </QuietButton>
            </li>
          ))}
        </ul>
      )}
      {flips.length > shown.length ? (
        <QuietButton onClick={() => setAll(true)}>{`Show ${flips.length - shown.length} more`}</QuietButton>
      ) : null}
      {explained === undefined ? null : (
        <Extent explanation={explained.explanation} found={flips.length} schema={schema} />
      )}
    </section>
  );
}

interface FoundFlip {
  readonly field: FieldExplanation;
  readonly flip: Flip;
}

/** The most telling change of each field: another rule says more than another number. */
function flipsOf({ fields }: Explanation): readonly FoundFlip[] {
  const flips = fields.flatMap((field): FoundFlip[] => {
    const flip = field.flips.find(({ changesRule }) => changesRule) ?? field.flips[0];
    return flip === undefined ? [] : [{ field, flip }];
  });
  return flips.sort((one, other) => Number(other.flip.changesRule) - Number(one.flip.changesRule));
}

const mostNamed = 4;

interface ExtentProps {
  readonly explanation: Explanation;
  readonly found: number;
  readonly schema: JsonObject;
}

/** How much was tried, and above all what was not: silence must not pass for a promise. */
function Extent({ explanation: { evaluations, complete, skipped = [] }, found, schema }: ExtentProps) {
  const labels = skipped.map((pointer) => fieldLabel(pointer, schema));
  const named = labels.slice(0, mostNamed).join("; ");
  const more = labels.length > mostNamed ? ` and ${labels.length - mostNamed} more` : "";
  const count = `${evaluations.toLocaleString("en")} ${evaluations === 1 ? "evaluation" : "evaluations"}`;
  return (
    <p class="field-description">
      {found > 0
        ? "One field at a time. "
        : complete
          ? "No change of a single field changes this result. "
          : "No tested change of a single field changes this result. "}
      {named === ""
        ? complete
          ? ""
          : "Not every field was tested. "
        : `Not fully tested: ${named}${more}. `}
      {`${count}, not counted in metrics or records.`}
    </p>
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

interface Answered {
  readonly id: string;
  readonly version: string | undefined;
  readonly apiKey: string;
  /** Whether the service explains results. */
  readonly explains: boolean;
  /** Whether the first result is about to come. */
  readonly awaits: boolean;
  /** The call in the form. */
  readonly call: SharedCall;
  readonly reply: Reply | undefined;
}

/** How long the form must rest before the page asks: an explanation may cost the service thousands of evaluations. */
const restMs = 600;

/** Requests what would change the result that the page shows, once the form rests: one at a time, ended when the form changes. */
export function useExplanation({ id, version, apiKey, explains, awaits, call, reply }: Answered): void {
  const { show } = useContext(FlipContext);
  const changed = useRef({ call, at: Number.NEGATIVE_INFINITY });
  if (changed.current.call !== call) changed.current = { call, at: performance.now() };
  const canExplain = explains && reply !== undefined && ["OK", "NO_MATCH"].includes(statusOf(reply));
  const isCurrent = canExplain && sameJson(reply.sent, call);
  useEffect(() => {
    if (!canExplain)
      show(() => ({
        explained: undefined,
        stale: false,
        searching: explains && awaits,
      }));
    else
      show(({ explained }) => ({
        explained,
        stale: explained !== undefined,
        searching: explained === undefined,
      }));
    if (!isCurrent) return undefined;
    const sent = sentCall(reply);
    const asked = new AbortController();
    const settle = (explained: Explained | undefined) => {
      if (!asked.signal.aborted) show(() => ({ explained, stale: false, searching: false }));
    };
    const timer = setTimeout(
      () => {
        const path = `${evaluationPath({ id, version })}/explain`;
        load<Explanation>(path, apiKey, sent, asked.signal).then(
          (explanation) => settle({ call: sent, explanation }),
          // The result itself is still there. The next one requests it again.
          () => settle(undefined),
        );
      },
      Math.max(0, restMs - (performance.now() - changed.current.at)),
    );
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [id, version, apiKey, explains, awaits, reply, canExplain, isCurrent]);
}
