import type { LabelTables } from "../../report/replay-report.js";
import { count, share, signedCount } from "../figures.js";
import { type Markup, markup } from "../markup.js";
import { scrollable } from "./scrollable.js";

/** Answers against what is known to be true. */
export function labelsHtml({
  label,
  prediction,
  rows,
  agreementBefore,
  agreementAfter,
}: LabelTables): Markup {
  const agreement =
    agreementBefore === undefined || agreementAfter === undefined
      ? undefined
      : markup`<p class="lead">Agrees in ${share(agreementBefore)} → ${share(agreementAfter)}</p>`;
  const body = rows.map(
    (row) =>
      markup`<tr${row.label === row.prediction ? markup` class="agrees"` : undefined}><td><code>${row.label}</code></td><td><code>${row.prediction}</code></td><td class="number">${count(row.before)}</td><td class="number">${count(row.after)}</td><td class="number">${row.after === row.before ? "" : signedCount(row.after - row.before)}</td></tr>
`,
  );
  const table = markup`<table>
<thead><tr><th scope="col">Label <code>${label}</code></th><th scope="col">Answer <code>${prediction}</code></th><th class="number" scope="col">Before</th><th class="number" scope="col">After</th><th class="number" scope="col">Difference</th></tr></thead>
<tbody>${body}</tbody>
</table>`;
  return markup`<h3>Against what is known to be true</h3>
${agreement}
${scrollable("Against what is known to be true", table)}`;
}
