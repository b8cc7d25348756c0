import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Markup, markup, type Piece, transitions } from "./changes.js";
import {
  type Aside,
  allowance,
  asides,
  comparisonHeadline,
  count,
  counted,
  headline,
  leftOutHeadline,
  notCompared,
  standing,
  unreadableLines,
  verdictNames,
  versions,
  whatWasRead,
} from "./headline.js";
import {
  examplesHtml,
  labelsHtml,
  matrixHtml,
  numbersHtml,
  scrollable,
  transitionsHtml,
} from "./html-comparison.js";
import type { Comparison, ReplayReport, Tally, Verdict } from "./replay-report.js";

let style: string | undefined;

/** The style sheet of the page. It is a file of the package, read at the first call. */
function reportStyle(): string {
  style ??= readFileSync(new URL("../../assets/report.css", import.meta.url), "utf8");
  return style;
}

const order: readonly Verdict[] = [
  "changed",
  "failed",
  "unchanged",
  "notReproducible",
  "inconclusive",
  "skipped",
];

/** How many records there are of each judgement, as numbers and as one bar. */
function tallyHtml(counts: Tally): Markup {
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
    (judgement) =>
      markup`<div class="${judgement}"><dt title="${verdictNames[judgement].meaning}">${verdictNames[judgement].name}</dt><dd>${count(counts[judgement])}</dd></div>`,
  )}</dl>`;
}

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
<thead><tr><th class="number" scope="col">Records</th><th scope="col">Result</th><th scope="col">Decision</th><th scope="col">Reason</th></tr></thead>
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
