import type { MatrixCell } from "../../report/replay-report.js";
import { count } from "../figures.js";
import { markup, type Piece } from "../markup.js";
import { isSameOutcome } from "../transitions.js";
import { outcomeHtml } from "./outcome-html.js";

/** From what to what results change, the most frequent first, with bars. */
export function transitionsHtml(cells: readonly MatrixCell[]): Piece {
  if (cells.length === 0) return undefined;
  const most = Math.max(...cells.map(({ changed }) => changed));
  const rows = cells.map(
    (cell) => markup`<li>
<span class="amount">${count(cell.changed)}</span>
<span class="way">${outcomeHtml(cell.from)} ${isSameOutcome(cell) ? markup`<span class="soft">the same rule, a different output</span>` : markup`<span class="arrow">→</span> ${outcomeHtml(cell.to)}`}</span>
<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(0.8, (cell.changed / most) * 100).toFixed(1)}" height="6"/></svg>
</li>
`,
  );
  return markup`<h3>From what to what</h3>
<ol class="transitions">
${rows}</ol>`;
}
