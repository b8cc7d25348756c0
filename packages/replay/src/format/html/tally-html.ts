import type { Tally, Verdict } from "../../report/replay-report.js";
import { count } from "../figures.js";
import { type Markup, markup } from "../markup.js";
import { verdictNames } from "../verdict-names.js";

const order: readonly Verdict[] = [
  "changed",
  "failed",
  "unchanged",
  "notReproducible",
  "inconclusive",
  "skipped",
];

/** How many records there are of each verdict, as numbers and as one bar. */
export function tallyHtml(counts: Tally): Markup {
  const all = order.reduce((sum, verdict) => sum + counts[verdict], 0);
  const shown = order.filter(
    (verdict) => counts[verdict] > 0 || verdict === "changed" || verdict === "unchanged",
  );
  let x = 0;
  const bars = order.map((verdict) => {
    // A few of a million still show.
    const width = counts[verdict] === 0 ? 0 : Math.max(4, (counts[verdict] / all) * 1000);
    const bar = markup`<rect class="${verdict}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10"/>`;
    x += width;
    return width === 0 ? undefined : bar;
  });
  return markup`<svg class="tally" viewBox="0 0 ${Math.max(1, x).toFixed(1)} 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<dl class="counts">${shown.map(
    (verdict) =>
      markup`<div class="${verdict}"><dt title="${verdictNames[verdict].meaning}">${verdictNames[verdict].name}</dt><dd>${count(counts[verdict])}</dd></div>`,
  )}</dl>`;
}
