import type { NumberShift } from "../../report/replay-report.js";
import { count, difference, figure } from "../figures.js";
import { type Markup, markup, type Piece } from "../markup.js";
import { scrollable } from "./scrollable.js";

/** How the numbers of the output moved. */
export function numbersHtml(numbers: readonly NumberShift[]): Piece {
  if (numbers.length === 0) return undefined;
  const rows = numbers.map(
    (shift) => markup`<tr>
<th scope="row"><code>${shift.pointer}</code></th>
<td class="number">${count(shift.count)}</td>
<td class="number">${count(shift.higher)}</td>
<td class="number">${count(shift.lower)}</td>
<td>${figure(shift.meanBefore)} → ${figure(shift.meanAfter)}</td>
<td class="box">${boxPlot(shift)}<span>${difference(shift.quantiles.p05)}</span> <strong>${difference(shift.quantiles.p50)}</strong> <span>${difference(shift.quantiles.p95)}</span></td>
</tr>
`,
  );
  const table = markup`<table>
<thead><tr><th scope="col">Number</th><th class="number" scope="col">Differs</th><th class="number" scope="col">Higher</th><th class="number" scope="col">Lower</th><th scope="col">Mean</th><th scope="col">Differences: 5%, median, 95%</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
  return markup`<h3>How numbers move</h3>
${scrollable("How numbers move", table)}`;
}

/** From p05 to p95 a line, from p25 to p75 a box, the median in it, and where nothing would have changed. */
function boxPlot({ quantiles }: NumberShift): Markup {
  const { min, p05, p25, p50, p75, p95, max } = quantiles;
  const [low, high] = [Math.min(0, min), Math.max(0, max)];
  const x = (value: number): string =>
    (high === low ? 100 : 4 + ((value - low) / (high - low)) * 192).toFixed(1);
  const wide = (from: number, to: number): string =>
    Math.max(1.5, Number(x(to)) - Number(x(from))).toFixed(1);
  return markup`<svg viewBox="0 0 200 20" aria-hidden="true">
<line class="zero" x1="${x(0)}" x2="${x(0)}" y1="1" y2="19"/>
<line class="range" x1="${x(min)}" x2="${x(max)}" y1="10" y2="10"/>
<rect class="most" x="${x(p05)}" y="7" width="${wide(p05, p95)}" height="6"/>
<rect class="half" x="${x(p25)}" y="4" width="${wide(p25, p75)}" height="12"/>
<line class="median" x1="${x(p50)}" x2="${x(p50)}" y1="2" y2="18"/>
</svg>`;
}
