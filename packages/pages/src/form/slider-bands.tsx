import type { Explanation } from "@decern/core";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { type Path, textOf, toPointer } from "../json/values.js";
import type { SharedCall } from "../model/call.js";
import { bandParts, bandText } from "../model/flip-text.js";
import { metaIn } from "../model/reply.js";
import { FormContext } from "./form-context.js";

/** What would change the result of a call. */
interface Explained {
  readonly call: SharedCall;
  readonly explanation: Explanation;
}

/** What the fields and the panel show of an explanation. */
interface FlipState {
  /** Of the last call that was explained. */
  readonly explained: Explained | undefined;
  /** Whether the form has changed since. */
  readonly stale: boolean;
}

interface FlipScopeValue extends FlipState {
  readonly show: (state: FlipState) => void;
}

export const FlipContext = createContext<FlipScopeValue>({
  explained: undefined,
  stale: false,
  show: () => {},
});

/** Lets the form, its fields and the panel share one explanation. */
export function FlipScope({ children }: { readonly children: ComponentChildren }) {
  const [state, show] = useState<FlipState>({ explained: undefined, stale: false });
  const value = useMemo(() => ({ ...state, show }), [state]);
  return <FlipContext.Provider value={value}>{children}</FlipContext.Provider>;
}

interface SliderBandsProps {
  readonly path: Path;
  readonly min: number;
  readonly max: number;
}

/** More would be too small to tell apart, and too long to read. */
const maxListed = 6;

/** Which rule decides along a slider, the others fields as they are. */
export function SliderBands({ path, min, max }: SliderBandsProps) {
  const { part } = useContext(FormContext);
  const { explained, stale } = useContext(FlipContext);
  if (part !== "input" || explained === undefined) return null;
  const pointer = toPointer(path);
  const { fields, envelope } = explained.explanation;
  const bands = fields.find((field) => field.path === pointer)?.bands;
  if (bands === undefined || bands.list.length < 2) return null;
  const now = textOf(metaIn(envelope), "matchedRule");
  const rules = [...new Set(bands.list.map(({ matchedRule }) => matchedRule))].filter((rule) => rule !== now);
  const tone = (rule: string | undefined): string =>
    rule === now ? "now" : `other-${rules.indexOf(rule) % 4}`;
  const listed = bands.list.slice(0, maxListed);
  return (
    <span class={stale ? "bands stale" : "bands"}>
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
        {bands.list.length > maxListed ? <span>{`and ${bands.list.length - maxListed} more`}</span> : null}
      </span>
    </span>
  );
}
