import type { Band, Explanation } from "@decern/core";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { type Path, textOf, toPointer } from "../json/values.js";
import type { SharedCall } from "../model/call.js";
import { bandParts, bandText } from "../model/flip-text.js";
import { metaIn } from "../model/reply.js";
import { FormContext } from "./form-context.js";

/** What would change the result of a call. */
export interface Explained {
  readonly call: SharedCall;
  readonly explanation: Explanation;
}

/** What the fields and the panel show of an explanation. */
interface FlipState {
  /** Of the last call that was explained. */
  readonly explained: Explained | undefined;
  /** Whether it is not that of the call in the form, or not yet known to be. */
  readonly stale: boolean;
  /** Whether the first one is under way. */
  readonly searching: boolean;
}

interface FlipScopeValue extends FlipState {
  /** Whether the service explains results. */
  readonly explains: boolean;
  readonly show: (change: (before: FlipState) => FlipState) => void;
}

const nothing: FlipState = { explained: undefined, stale: false, searching: false };

export const FlipContext = createContext<FlipScopeValue>({ ...nothing, explains: false, show: () => {} });

interface FlipScopeProps {
  readonly explains: boolean;
  /** Whether there is about to be a result. */
  readonly awaits: boolean;
  readonly children: ComponentChildren;
}

/** Lets the form, its fields and the panel share one explanation. */
export function FlipScope({ explains, awaits, children }: FlipScopeProps) {
  const [state, show] = useState<FlipState>({ ...nothing, searching: explains && awaits });
  const value = useMemo(() => ({ ...state, explains, show }), [state, explains]);
  return <FlipContext.Provider value={value}>{children}</FlipContext.Provider>;
}

interface SliderBandsProps {
  readonly path: Path;
  readonly min: number;
  readonly max: number;
}

/** The band of the value and its neighbours: as many fit in a line, and no line moves what is below it. */
const listedAround = 1;

/** Which rule decides along a slider, the other fields as they are. Takes its room as soon as that is about to be known. */
export function SliderBands({ path, min, max }: SliderBandsProps) {
  const { part } = useContext(FormContext);
  const { explained, stale, explains, searching } = useContext(FlipContext);
  // Many items would make many bands, and move one another.
  if (part !== "input" || !explains || path.some((step) => typeof step === "number")) return null;
  const pointer = toPointer(path);
  const bands = explained?.explanation.fields.find((field) => field.path === pointer)?.bands;
  if (explained === undefined && !searching) return null;
  if (explained === undefined || bands === undefined || bands.list.length < 2)
    return <span class="bands none" />;
  const now = textOf(metaIn(explained.explanation.envelope), "matchedRule");
  const rules = [...new Set(bands.list.map(({ matchedRule }) => matchedRule))].filter((rule) => rule !== now);
  const tone = (rule: string | undefined): string =>
    rule === now ? "now" : `other-${rules.indexOf(rule) % 4}`;
  const { value } = explained.explanation.fields.find((field) => field.path === pointer) ?? {};
  const at = bands.list.findIndex((band) => holds(band, value));
  const listed = bands.list.filter((_band, index) => at < 0 || Math.abs(index - at) <= listedAround);
  return (
    <span class={stale ? "bands old" : "bands"}>
      {/* The page's policy forbids inline styles, so the widths are attributes. */}
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {bandParts(bands, min, max).map(({ start, length, band }) => (
          <rect key={start} class={tone(band.matchedRule)} x={start} y="0" width={length} height="6">
            <title>{bandText(band)}</title>
          </rect>
        ))}
      </svg>
      <span class="bands-list">
        {listed.map((band) => (
          <span key={String(band.from)} class={`band ${tone(band.matchedRule)}`}>
            {bandText(band)}
          </span>
        ))}
      </span>
    </span>
  );
}

function holds({ from, to }: Band, value: unknown): boolean {
  return (
    typeof value === "number" &&
    typeof from === "number" &&
    typeof to === "number" &&
    from <= value &&
    value <= to
  );
}

/** The rule that decides with a value of a slider, as far as the explanation tells. */
export function useRuleAt(path: Path, value: unknown): string | undefined {
  const { part } = useContext(FormContext);
  const { explained } = useContext(FlipContext);
  const field = explained?.explanation.fields.find((one) => one.path === toPointer(path));
  return part === "input" ? field?.bands?.list.find((band) => holds(band, value))?.matchedRule : undefined;
}
