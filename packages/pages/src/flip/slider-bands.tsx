import { useContext } from "preact/hooks";
import { FormContext } from "../fields/form-context.js";
import type { Path } from "../model/json.js";
import { textOf } from "../model/json.js";
import { toPointer } from "../model/pointer.js";
import { metaIn } from "../model/reply.js";
import { FlipContext } from "./flip-context.js";
import { bandParts, bandText } from "./flip-text.js";

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
