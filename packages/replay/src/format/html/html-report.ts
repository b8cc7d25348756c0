import { createHash } from "node:crypto";
import type { Comparison, ReplayReport } from "../../report/replay-report.js";
import { count, counted } from "../figures.js";
import {
  type Aside,
  allowance,
  asides,
  comparisonHeadline,
  headline,
  leftOutHeadline,
  notCompared,
  standing,
  unreadableLines,
  versions,
  whatWasRead,
} from "../headline.js";
import { Markup, markup, type Piece } from "../markup.js";
import { transitions } from "../transitions.js";
import { verdictNames } from "../verdict-names.js";
import { examplesHtml } from "./examples-html.js";
import { labelsHtml } from "./labels-html.js";
import { matrixHtml } from "./matrix-html.js";
import { numbersHtml } from "./numbers-html.js";
import { reportStyle } from "./report-style.js";
import { scrollable } from "./scrollable.js";
import { tallyHtml } from "./tally-html.js";
import { transitionsHtml } from "./transitions-html.js";

/** The report as one page that loads nothing and runs nothing. Its policy allows only its own style. */
export function htmlReport(report: ReplayReport, title: string): string {
  const style = reportStyle();
  const hash = createHash("sha256").update(style, "utf8").digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: ${headline(report.counts)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${head(report, title)}
${report.decisions.map((decision) => section(decision))}
${asides(report).map((aside) => section(aside.comparison, aside))}
${leftOut(report)}
${unreadable(report)}
</main>
</body>
</html>
`.text;
}

const verdicts = { within: "Within the allowance", beyond: "Beyond the allowance", unproven: "Not proven" };

function head(report: ReplayReport, title: string): Markup {
  const { counts } = report;
  const stands = standing(report);
  return markup`<header class="${stands}">
<p class="title">${title}</p>
<h1>${headline(counts)}</h1>
<p class="verdict"><strong>${verdicts[stands]}</strong> ${allowance(report)}</p>
${tallyHtml(counts)}
<p class="read">${whatWasRead(report).join(" · ")}</p>
</header>`;
}

function section(comparison: Comparison, aside?: Aside): Markup {
  const changed = transitions(comparison);
  const { decisionId, explainedDifferently, labels, numbers } = comparison;
  return markup`<section>
<h2>${aside === undefined ? undefined : markup`<span class="tag">${aside.kind}</span> `}${decisionId} <span class="versions">${versions(comparison)}</span></h2>
<p class="lead">${comparisonHeadline(comparison)}</p>
${aside === undefined ? undefined : markup`<p class="soft">${aside.note}</p>`}
${transitionsHtml(changed)}
${explainedDifferently === 0 ? undefined : markup`<p class="soft">${counted(explainedDifferently, "unchanged result")} with a different explanation</p>`}
${examplesHtml(changed)}
${numbersHtml(numbers)}
${labels === undefined ? undefined : labelsHtml(labels)}
${matrixHtml(comparison)}
</section>
`;
}

function leftOut({ counts, reasons }: ReplayReport): Piece {
  const all = notCompared(counts);
  if (all === 0 && reasons.length === 0) return undefined;
  const rows = reasons.map(
    ({ verdict, decisionId, reason, records }) =>
      markup`<tr><td class="number">${count(records)}</td><td>${verdictNames[verdict].name}</td><td>${decisionId}</td><td>${reason}</td></tr>`,
  );
  const table = markup`<table>
<thead><tr><th class="number" scope="col">Records</th><th scope="col">Verdict</th><th scope="col">Decision</th><th scope="col">Reason</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
  return markup`<section>
<h2>${leftOutHeadline(counts)}</h2>
${reasons.length === 0 ? undefined : scrollable("Reasons", table)}
</section>`;
}

function unreadable(report: ReplayReport): Piece {
  const [head, ...lines] = unreadableLines(report);
  if (head === undefined) return undefined;
  return markup`<section>
<h2>${head}</h2>
<ul>${lines.map((line) => markup`<li><code>${line}</code></li>`)}</ul>
</section>`;
}
