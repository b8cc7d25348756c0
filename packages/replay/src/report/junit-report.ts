import { lines, type Markup, markup, visible } from "./markdown.js";
import type { MatrixCell, ReplayReport } from "./replay-report.js";
import { isSameOutcome, type Section, sections } from "./sections.js";
import { terminal } from "./text-layout.js";
import { exampleLines } from "./text-report.js";
import {
  allowance,
  compared,
  count,
  counted,
  headline,
  standing,
  unreadableLines,
  verdictNames,
} from "./words.js";

/** One test of a suite. */
interface TestCase {
  readonly name: string;
  readonly className: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly message: string;
  readonly detail: string;
}

const longestMessage = 120;

/**
 * The report for a CI server, as JUnit XML. The first test is the allowance; then each recorded outcome of a decision is one. A change
 * within the allowance is reported and passes, so that the file and the exit code of a command agree. Defaults and shadows never fail.
 */
export function junitReport(report: ReplayReport, title: string): string {
  const suites = [
    suite(title, [allowanceTest(report, title)], report),
    ...sections(report).map((section) => {
      const { kind, comparison } = section;
      const name = `${kind === undefined ? "" : `${kind.toLowerCase()} of `}${comparison.decisionId}`;
      const fails = kind === undefined && standing(report) === "beyond";
      return suite(name, sectionTests(section, name, fails), report);
    }),
  ];
  const all = suites.flatMap(({ tests }) => tests);
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${title}" ${totals(all)}>
${suites.map(({ xml }) => xml)}</testsuites>
`;
  return document.text;
}

function suite(name: string, tests: readonly TestCase[], { to }: ReplayReport) {
  const time = to === undefined ? undefined : markup` timestamp="${to.slice(0, 19)}"`;
  const xml = markup`  <testsuite name="${name}" ${totals(tests)} errors="0" skipped="${numberOf(tests, "skipped")}"${time}>
${tests.map(testXml)}  </testsuite>
`;
  return { tests, xml };
}

function totals(tests: readonly TestCase[]): Markup {
  return markup`tests="${tests.length}" failures="${numberOf(tests, "failed")}"`;
}

function numberOf(tests: readonly TestCase[], outcome: TestCase["outcome"]): number {
  return tests.filter((test) => test.outcome === outcome).length;
}

function testXml({ name, className, outcome, message, detail }: TestCase): Markup {
  return markup`    <testcase name="${name}" classname="${className}" time="0">${body()}</testcase>
`;

  function body(): Markup | undefined {
    if (outcome === "failed")
      return markup`<failure message="${message}" type="changed">${lines(detail)}</failure>`;
    if (outcome === "skipped") return markup`<skipped message="${message}"/>`;
    return detail === "" ? undefined : markup`<system-out>${lines(detail)}</system-out>`;
  }
}

function allowanceTest(report: ReplayReport, title: string): TestCase {
  const { isWithin, counts, records, reasons } = report;
  const why = reasons.map(
    ({ verdict, decisionId, reason, records: all }) =>
      `${count(all)} ${verdictNames[verdict].name}, ${decisionId}: ${reason}`,
  );
  return {
    name: "changes are within the allowance",
    className: title,
    outcome: isWithin ? "passed" : "failed",
    message: `${headline(counts)}: ${allowance(report)}`,
    detail: [
      `${headline(counts)}: ${allowance(report)}`,
      counted(records, "record"),
      ...why,
      ...unreadableLines(report),
    ].join("\n"),
  };
}

function sectionTests(section: Section, className: string, fails: boolean): readonly TestCase[] {
  const { counts, decisionId, matrix } = section.comparison;
  if (compared(counts) === 0 && matrix.length === 0) {
    const message = "no record of it could be compared";
    return [{ name: decisionId, className, outcome: "skipped", message, detail: "" }];
  }
  return [...new Set(matrix.map(({ from }) => from))].toSorted().map((from) => {
    const own = section.changed.filter((cell) => cell.from === from);
    const stays = matrix.find((cell) => cell.from === from && cell.to === from)?.unchanged ?? 0;
    return {
      name: from,
      className,
      outcome: own.length > 0 && fails ? "failed" : "passed",
      message: `${own.map(transitionSummary).join("; ").slice(0, longestMessage)}`,
      detail: own.length === 0 ? "" : detail(section, own, stays),
    };
  });
}

function transitionSummary(cell: MatrixCell): string {
  return `${count(cell.changed)} ${isSameOutcome(cell) ? "with a different output" : `→ ${cell.to}`}`;
}

function detail(section: Section, cells: readonly MatrixCell[], stays: number): string {
  const paper = terminal(110, false);
  return [
    visible(`${section.comparison.decisionId} ${section.versions}: ${section.headline}`),
    `${counted(stays, "result")} of this kind did not change`,
    ...cells.flatMap((cell) => [
      "",
      visible(`${cell.from}: ${transitionSummary(cell)}`),
      ...cell.examples.flatMap((example) => exampleLines(example, paper)),
    ]),
  ].join("\n");
}
