import type { Comparison, MatrixCell } from "../../report/replay-report.js";
import { count } from "../figures.js";
import { type Markup, markup, type Piece } from "../markup.js";
import { outcomeHtml } from "./outcome-html.js";
import { scrollable } from "./scrollable.js";

/** A larger matrix is opened by whoever wants it. */
const mostOpen = 12;

/** All outcomes before against all outcomes after. */
export function matrixHtml({ matrix }: Comparison): Piece {
  if (matrix.length === 0) return undefined;
  const outcomes = [...new Set(matrix.flatMap(({ from, to }) => [from, to]))].toSorted();
  const rows = outcomes.filter((outcome) => matrix.some(({ from }) => from === outcome));
  const cells = new Map(matrix.map((cell) => [JSON.stringify([cell.from, cell.to]), cell]));
  const most = Math.max(1, ...matrix.map(({ changed }) => changed));
  const table = markup`<table class="matrix">
<thead><tr><th scope="col">Before ↓ After →</th>${outcomes.map((to) => markup`<th scope="col"><div>${outcomeHtml(to)}</div></th>`)}</tr></thead>
<tbody>
${rows.map(
  (from) =>
    markup`<tr><th scope="row">${outcomeHtml(from)}</th>${outcomes.map((to) => cellHtml(cells.get(JSON.stringify([from, to])), most))}</tr>
`,
)}</tbody>
</table>`;
  const isTelling = outcomes.length <= mostOpen && matrix.some(({ changed }) => changed > 0);
  return markup`<details class="whole"${isTelling ? markup` open` : undefined}><summary>All outcomes, before and after</summary>
${scrollable("All outcomes, before and after", table)}
</details>`;
}

function cellHtml(cell: MatrixCell | undefined, most: number): Markup {
  if (cell === undefined) return markup`<td></td>`;
  const { unchanged, changed } = cell;
  const heat = changed === 0 ? "" : ` heat-${Math.ceil((Math.log(changed + 1) / Math.log(most + 1)) * 4)}`;
  const kept = unchanged === 0 ? undefined : markup`<span class="kept">${count(unchanged)}</span>`;
  const moved = changed === 0 ? undefined : markup`<strong>${count(changed)}</strong>`;
  return markup`<td class="number${cell.from === cell.to ? " same" : ""}${heat}">${kept}${kept !== undefined && moved !== undefined ? " " : ""}${moved}</td>`;
}
