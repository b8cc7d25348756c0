import type { MatrixCell, ReplayExample } from "../../report/replay-report.js";
import { changes } from "../changes.js";
import { count, instant } from "../figures.js";
import { lines, type Markup, markup, type Piece } from "../markup.js";
import { isSameOutcome } from "../transitions.js";
import { clip, indentedJson } from "../visible.js";
import { outcomeHtml } from "./outcome-html.js";

const mostChanges = 20;
const longestValue = 400;
const longestInput = 20_000;

/** Records that change, by transition. The first transition is open. */
export function examplesHtml(cells: readonly MatrixCell[]): Piece {
  const shown = cells.filter(({ examples }) => examples.length > 0);
  if (shown.length === 0) return undefined;
  return markup`<h3>Examples</h3>
${shown.map((cell, index) => cellHtml(cell, index === 0))}`;
}

function cellHtml(cell: MatrixCell, isOpen: boolean): Markup {
  const to = isSameOutcome(cell)
    ? markup`<span class="soft">the same rule, a different output</span>`
    : markup`<span class="arrow">→</span> ${outcomeHtml(cell.to)}`;
  return markup`<details class="cell"${isOpen ? markup` open` : undefined}>
<summary><span class="way">${outcomeHtml(cell.from)} ${to}</span> <span class="soft">${count(cell.examples.length)} of ${count(cell.changed)}</span></summary>
${cell.examples.map(exampleHtml)}
</details>
`;
}

function exampleHtml(example: ReplayExample): Markup {
  const { recordId, requestId, recordedAt, caller, before, after, input, masked } = example;
  const found = changes(example);
  const rows = found
    .slice(0, mostChanges)
    .map(
      ({ place, before: was, after: is }) =>
        markup`<tr><th scope="row"><code>${place}</code></th><td><code class="was">${clip(was, longestValue)}</code></td><td><code class="is">${clip(is, longestValue)}</code></td></tr>`,
    );
  const rest = found.length - rows.length;
  const more =
    rest > 0 ? markup`<tr><th scope="row">and ${rest} more</th><td></td><td></td></tr>` : undefined;
  const hasReason = (before.explanation ?? "") !== "" || (after.explanation ?? "") !== "";
  const why = hasReason
    ? markup`<tr><th scope="row">because</th><td>${before.explanation}</td><td>${after.explanation}</td></tr>`
    : undefined;
  return markup`<article>
<p class="record"><code>${recordId}</code> <span>${instant(recordedAt)}</span> ${caller === undefined ? undefined : markup`<span>${caller}</span> `}<span>request ${requestId}</span></p>
<table class="changes">
<thead><tr><td></td><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>${rows}${more}${why}</tbody>
</table>
${input === undefined ? undefined : markup`<details class="input"><summary>Input</summary><pre tabindex="0">${lines(clip(indentedJson(input), longestInput))}</pre></details>`}
${masked.length === 0 ? undefined : markup`<p class="soft">Masked: ${masked.map((pointer, index) => markup`${index === 0 ? "" : ", "}<code>${pointer}</code>`)}</p>`}
</article>
`;
}
