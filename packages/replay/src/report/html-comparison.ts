import { clip, indentedJson, lines, type Markup, markup, type Piece } from "./markdown.js";
import type { Comparison, LabelTables, MatrixCell, NumberShift, ReplayExample } from "./replay-report.js";
import { exampleChanges, isSameOutcome, labelTable, type Table } from "./sections.js";
import { count, difference, figure, instant } from "./words.js";

/** An outcome such as `OK/prime`, its status less loud than its rule. */
function outcomeHtml(outcome: string): Markup {
  const slash = outcome.indexOf("/");
  return slash === -1
    ? markup`<code class="outcome">${outcome}</code>`
    : markup`<code class="outcome"><span>${outcome.slice(0, slash + 1)}</span>${outcome.slice(slash + 1)}</code>`;
}

/** Such as `OK/prime → NO_MATCH`. */
function wayHtml(cell: MatrixCell): Markup {
  const to = isSameOutcome(cell)
    ? markup`<span class="soft">the same rule, a different output</span>`
    : markup`<span class="arrow">→</span> ${outcomeHtml(cell.to)}`;
  return markup`<span class="way">${outcomeHtml(cell.from)} ${to}</span>`;
}

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
  return markup`<details class="cell"${isOpen ? markup` open` : undefined}>
<summary>${wayHtml(cell)} <span class="soft">${count(cell.examples.length)} of ${count(cell.changed)}</span></summary>
${cell.examples.map(exampleHtml)}
</details>
`;
}

function exampleHtml(example: ReplayExample): Markup {
  const { recordId, requestId, recordedAt, caller, input, masked } = example;
  const { first, more, because } = exampleChanges(example, mostChanges);
  const rows = first.map(
    ({ place, before, after }) =>
      markup`<tr><th scope="row"><code>${place}</code></th><td><code class="was">${clip(before, longestValue)}</code></td><td><code class="is">${clip(after, longestValue)}</code></td></tr>`,
  );
  const rest =
    more > 0 ? markup`<tr><th scope="row">and ${more} more</th><td></td><td></td></tr>` : undefined;
  const why =
    because &&
    markup`<tr><th scope="row">because</th><td>${because.before}</td><td>${because.after}</td></tr>`;
  return markup`<article>
<p class="record"><code>${recordId}</code> <span>${instant(recordedAt)}</span> ${caller === undefined ? undefined : markup`<span>${caller}</span> `}<span>request ${requestId}</span></p>
<table class="changes">
<thead><tr><td></td><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>${rows}${rest}${why}</tbody>
</table>
${input === undefined ? undefined : markup`<details class="input"><summary>Input</summary><pre tabindex="0">${lines(clip(indentedJson(input), longestInput))}</pre></details>`}
${masked.length === 0 ? undefined : markup`<p class="soft">Masked: ${masked.map((pointer, index) => markup`${index === 0 ? "" : ", "}<code>${pointer}</code>`)}</p>`}
</article>
`;
}

/** From what to what results change, the most frequent first, with bars. */
export function transitionsHtml(cells: readonly MatrixCell[]): Piece {
  if (cells.length === 0) return undefined;
  const most = Math.max(...cells.map(({ changed }) => changed));
  const rows = cells.map(
    (cell) => markup`<li>
<span class="amount">${count(cell.changed)}</span>
${wayHtml(cell)}
<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(0.8, (cell.changed / most) * 100).toFixed(1)}" height="6"/></svg>
</li>
`,
  );
  return markup`<h3>From what to what</h3>
<ol class="transitions">
${rows}</ol>`;
}

/** A table that scrolls by itself where the screen is narrow, also with the keyboard. */
function scrollable(name: string, table: Markup): Markup {
  return markup`<div class="scroll" role="group" aria-label="${name}" tabindex="0">
${table}
</div>`;
}

/** A larger matrix starts closed. */
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
    markup`<tr><th scope="row">${outcomeHtml(from)}</th>${outcomes.map((to) => countHtml(cells.get(JSON.stringify([from, to])), most))}</tr>
`,
)}</tbody>
</table>`;
  const isTelling = outcomes.length <= mostOpen && matrix.some(({ changed }) => changed > 0);
  return markup`<details class="whole"${isTelling ? markup` open` : undefined}><summary>All outcomes, before and after</summary>
${scrollable("All outcomes, before and after", table)}
</details>`;
}

function countHtml(cell: MatrixCell | undefined, most: number): Markup {
  if (cell === undefined) return markup`<td></td>`;
  const { unchanged, changed } = cell;
  const heat = changed === 0 ? "" : ` heat-${Math.ceil((Math.log(changed + 1) / Math.log(most + 1)) * 4)}`;
  const kept = unchanged === 0 ? undefined : markup`<span class="kept">${count(unchanged)}</span>`;
  const moved = changed === 0 ? undefined : markup`<strong>${count(changed)}</strong>`;
  return markup`<td class="number${cell.from === cell.to ? " same" : ""}${heat}">${kept}${kept !== undefined && moved !== undefined ? " " : ""}${moved}</td>`;
}

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

/** A table with a heading; a row whose class is given is marked. */
export function tableHtml(
  { title, columns, rows }: Table,
  classOf = (_row: readonly string[]) => "",
): Markup {
  const cell = (text: string, index: number): Piece =>
    columns[index]?.data === "all" ? markup`<code>${text}</code>` : text;
  const side = (index: number): Piece =>
    columns[index]?.align === "right" ? markup` class="number"` : undefined;
  const heads = columns.map(
    ({ head }, index) => markup`<th${side(index)} scope="col">${cell(head, index)}</th>`,
  );
  const body = rows.map((row) => {
    const name = classOf(row);
    const cells = row.map((text, index) => markup`<td${side(index)}>${cell(text, index)}</td>`);
    return markup`<tr${name === "" ? undefined : markup` class="${name}"`}>${cells}</tr>
`;
  });
  return scrollable(
    title,
    markup`<table>
<thead><tr>${heads}</tr></thead>
<tbody>${body}</tbody>
</table>`,
  );
}

/** Results against their labels. */
export function labelsHtml(labels: LabelTables): Markup {
  const table = labelTable(labels);
  return markup`<h3>${table.title}</h3>
${tableHtml(table, ([label, prediction]) => (label === prediction ? "agrees" : ""))}`;
}
