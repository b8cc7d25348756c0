import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  examplesHtml,
  labelsHtml,
  matrixHtml,
  numbersHtml,
  tableHtml,
  transitionsHtml,
} from "./html-comparison.js";
import { Markup, markup, type Piece } from "./markdown.js";
import type { ReplayReport, Tally, Verdict } from "./replay-report.js";
import { leftOut, type Section, sections, type Table } from "./sections.js";
import {
  allowance,
  count,
  counted,
  headline,
  standing,
  unreadableLines,
  verdictNames,
  whatWasRead,
} from "./words.js";

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

/** How many records are unchanged, changed and so on, as numbers and as one bar. */
function tallyHtml(counts: Tally): Markup {
  const all = order.reduce((sum, name) => sum + counts[name], 0);
  const shown = order.filter((name) => counts[name] > 0 || name === "changed" || name === "unchanged");
  let x = 0;
  const bars = order.map((name) => {
    // A few of a million still show.
    const width = counts[name] === 0 ? 0 : Math.max(4, (counts[name] / all) * 1000);
    const bar = markup`<rect class="${name}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10"/>`;
    x += width;
    return width === 0 ? undefined : bar;
  });
  return markup`<svg class="tally" viewBox="0 0 ${Math.max(1, x).toFixed(1)} 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<dl class="counts">${shown.map(
    (name) =>
      markup`<div class="${name}"><dt title="${verdictNames[name].meaning}">${verdictNames[name].name}</dt><dd>${count(counts[name])}</dd></div>`,
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
${sections(report).map(sectionHtml)}
${leftOutHtml(leftOut(report))}
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

function sectionHtml({ kind, comparison, headline: lead, note, versions, changed }: Section): Markup {
  const { decisionId, explainedDifferently, labels, numbers } = comparison;
  return markup`<section>
<h2>${kind === undefined ? undefined : markup`<span class="tag">${kind}</span> `}${decisionId} <span class="versions">${versions}</span></h2>
<p class="lead">${lead}</p>
${note === undefined ? undefined : markup`<p class="soft">${note}</p>`}
${transitionsHtml(changed)}
${explainedDifferently === 0 ? undefined : markup`<p class="soft">${counted(explainedDifferently, "unchanged result")} with a different explanation</p>`}
${examplesHtml(changed)}
${numbersHtml(numbers)}
${labels === undefined ? undefined : labelsHtml(labels)}
${matrixHtml(comparison)}
</section>
`;
}

function leftOutHtml(reasons: Table | undefined): Piece {
  if (reasons === undefined) return undefined;
  return markup`<section>
<h2>${reasons.title}</h2>
${reasons.rows.length === 0 ? undefined : tableHtml(reasons)}
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
