import { extname, resolve } from "node:path";
import type { Decision } from "@decern/core";
import type { ReplayDifference, ReplayReport, ReportFormat } from "@decern/replay";
import {
  CommandError,
  type CommandIo,
  defineCommand,
  exitCodes,
  type Given,
} from "../command-line/command.js";
import { LineFile } from "../command-line/files.js";
import {
  choice,
  flag,
  formatOption,
  profilesOption,
  required,
  share,
  text,
  texts,
  wholeNumber,
} from "../command-line/options.js";
import { say, writeText } from "../command-line/output.js";
import type { DecisionModule } from "../module/load-module.js";
import { conditionOptions, conditionsOf } from "../records/query-options.js";
import { printable } from "../text/text.js";

const formats = ["text", "json", "markdown", "junit", "html"] as const satisfies readonly ReportFormat[];

/** By the ending of a report's file. */
const endings: Readonly<Record<string, ReportFormat>> = {
  ".txt": "text",
  ".json": "json",
  ".md": "markdown",
  ".xml": "junit",
  ".html": "html",
};

const options = {
  against: required("<module>", "module to evaluate the records with (required)"),
  ...profilesOption,
  baseline: text(
    "<module>",
    "module at the time of the records, for the control run, or log for their tables (default: --against)",
  ),
  allow: share("share of results that can change, such as 0.5% (default: 0%)"),
  "max-inconclusive": share("share of results that can be inconclusive, erased ones aside (default: 0%)"),
  ...conditionOptions,
  label: text("<pointer>", "path of the true value in the payload, such as /input/wasFraud"),
  prediction: text(
    "<pointer>",
    "path of the value in the result to compare with it, such as /data/fraud (default: status and rule)",
  ),
  examples: wholeNumber("maximum examples for each kind of change (default: 3)"),
  "omit-inputs": flag("leave out the inputs of examples and changes"),
  title: text("<text>", 'heading of the report (default: "Replay")'),
  ...formatOption,
  format: choice("<format>", formats, "format of the report (default: text)"),
  report: texts("<file>", "also write the report to this file: .txt, .json, .md, .xml (JUnit) or .html"),
  changes: text("<file>", "write every difference to this file, as NDJSON"),
};

type ReplayOptions = Given<typeof options>;

export const replayCommand = defineCommand({
  name: "replay",
  summary: "Evaluate records again with a module and report what would change",
  positionals: "<records…>",
  options,
  examples: [
    ["decern replay records/ --against decisions.ts", "Shows which results a code change affects."],
    [
      "decern replay records/ --against decisions.ts --profiles stricter.json --decision loan-approval",
      "Shows the results with other thresholds.",
    ],
    [
      "decern replay records/ --against decisions.ts --allow 0.5% --format markdown > comment.md",
      "Writes a pull request comment, and fails if more than 0.5 % of results changed.",
    ],
    [
      "decern replay postgres://reader@db/decern --from 2026-03-01 --against decisions.ts --report report.html",
      "Replays records from PostgreSQL, and also writes an HTML report.",
    ],
  ],
  exits: {
    0: "the shares are within --allow and --max-inconclusive",
    1: "wrong usage, or records or a module that cannot be read, such as files without a single record",
    2: "a larger share changed, failed or was inconclusive, or no record could be compared",
  },
  async run({ positionals, options }, io) {
    const { allow, "max-inconclusive": maxInconclusive, examples, label, prediction } = options;
    const files = options.report.map((path) => ({ path: resolve(io.cwd, path), format: formatOf(path) }));
    const { loadModule } = await import("../module/load-module.js");
    const { replay } = await import("@decern/replay");
    const { withRecords } = await import("../records/open-records.js");
    const module = await loadModule(options.against, io.cwd);
    const { decisions, profiles, versions } = await overlaid(module, options, io);
    const baseline = await baselineOf(options.baseline, io);
    const changes = await changesFile(options, io);
    const settings = {
      query: conditionsOf(options),
      baseline,
      allow,
      maxInconclusive,
      examples,
      label,
      prediction,
      onDifference: changes?.write,
      signal: io.signal,
    };
    const report = await withRecords(positionals, io, {}, ({ log }, progress) => {
      const onProgress = progress.counter("Replayed");
      return replay(log, { decisions, versions, profiles }, { ...settings, onProgress });
    }).finally(() => changes?.close());
    await writeReport(report, files, options, io);
    const { tellLeftOut } = await import("../records/show-records.js");
    await tellLeftOut(report.unreadable.count, report.unreadable.first, io);
    if (report.records === 0 && report.unreadable.count > 0) return exitCodes.broken;
    if (report.isWithin) return exitCodes.ok;
    await explain(report, io);
    return exitCodes.failed;
  },
});

async function baselineOf(
  given: string | undefined,
  { cwd }: CommandIo,
): Promise<readonly Decision[] | "log" | undefined> {
  if (given === undefined || given === "log") return given;
  const { loadModule } = await import("../module/load-module.js");
  const { decisions } = await loadModule(given, cwd);
  return decisions;
}

function formatOf(path: string): ReportFormat {
  const format = endings[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  throw new CommandError(`--report must end in ${Object.keys(endings).join(", ")}, not "${path}"`);
}

/** The module with the profiles of `--profiles` laid over its own. Says which stay: they may be what was meant. */
async function overlaid(
  module: DecisionModule,
  options: ReplayOptions,
  io: CommandIo,
): Promise<DecisionModule> {
  const { givenProfiles, withProfiles } = await import("../module/profile-file.js");
  const file = await givenProfiles(options, io);
  const kept = Object.keys(module.profiles ?? {}).filter(
    (key) => file !== undefined && !Object.hasOwn(file.profiles, key),
  );
  if (kept.length > 0) {
    await say(io, `profiles as in the module: ${printable(kept.join(", "))}`);
  }
  return withProfiles(module, file);
}

async function changesFile({ changes: path, "omit-inputs": omitsInputs }: ReplayOptions, { cwd }: CommandIo) {
  if (path === undefined) return undefined;
  const file = await LineFile.create(resolve(cwd, path));
  return {
    write: (difference: ReplayDifference) => file.write(JSON.stringify(changeOf(difference, omitsInputs))),
    close: () => file.close(),
  };
}

/** The result comes first, because a record is long. Explanations and messages of errors can quote inputs. */
function changeOf({ verdict, reason, before, after, record }: ReplayDifference, omitsInputs: boolean) {
  return omitsInputs
    ? { verdict, reason, before: bare(before), after: bare(after), record: { ...record, payload: null } }
    : { verdict, reason, before, after, record };
}

function bare(outcome: ReplayDifference["before"]): ReplayDifference["before"] {
  if (outcome === undefined) return undefined;
  const { explanation: _explanation, error, ...rest } = outcome;
  return error === undefined ? rest : { ...rest, error: { code: error.code, message: "" } };
}

async function writeReport(
  report: ReplayReport,
  files: readonly { readonly path: string; readonly format: ReportFormat }[],
  { title, "omit-inputs": omitInputs, json, format = json ? "json" : "text" }: ReplayOptions,
  io: CommandIo,
): Promise<void> {
  const { formatReport } = await import("@decern/replay");
  const { writeFile } = await import("node:fs/promises");
  const options = { omitInputs, title };
  for (const { path, format } of files) await writeFile(path, formatReport(report, format, options));
  await writeText(
    io.stdout,
    formatReport(report, format, { ...options, width: io.columns, color: io.hasColor }),
  );
}

/** Says why on standard error, because the report can be in a file. */
async function explain(report: ReplayReport, io: CommandIo): Promise<void> {
  const { counts, allowed, allowedInconclusive, inconclusiveShare } = report;
  const reasons: string[] = [];
  if (counts.unchanged + counts.changed + counts.failed === 0) reasons.push("no record could be compared");
  if (report.share > allowed)
    reasons.push(
      `${percent(report.share)} of results changed or failed; --allow permits ${percent(allowed)}`,
    );
  if (inconclusiveShare > allowedInconclusive)
    reasons.push(
      `${percent(inconclusiveShare)} of results are inconclusive; --max-inconclusive permits ${percent(allowedInconclusive)}`,
    );
  for (const reason of reasons) await say(io, reason);
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}
