import { extname, resolve } from "node:path";
import type { ReplayDifference, ReplayReport, ReportFormat } from "@decern/replay";
import {
  type Command,
  type CommandCall,
  CommandError,
  type CommandIo,
  exitCodes,
} from "../command-line/command.js";
import { LineFile } from "../command-line/files.js";
import { profilesOption, share, wholeNumber } from "../command-line/options.js";
import { countRecords, Progress, writeText } from "../command-line/output.js";
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

export const replayCommand: Command = {
  name: "replay",
  summary: "Evaluate records again with a module and report what would change",
  positionals: "<records…>",
  counts: [1, Number.POSITIVE_INFINITY],
  options: {
    against: { value: "<module>", description: "module to evaluate the records with (required)" },
    ...profilesOption,
    baseline: {
      value: "<module>",
      description: "module at the time of the records, for the control run (default: --against)",
    },
    allow: { value: "<share>", description: "share of calls that may change, such as 0.5% (default: 0%)" },
    "max-inconclusive": {
      value: "<share>",
      description: "share of calls that may be inconclusive, erased ones aside (default: 0%)",
    },
    ...conditionOptions,
    label: {
      value: "<pointer>",
      description: "path of the true value in the payload, such as /input/wasFraud",
    },
    prediction: {
      value: "<pointer>",
      description:
        "path of the value in the result to compare with it, such as /data/fraud (default: status and rule)",
    },
    examples: { value: "<n>", description: "maximum examples for each kind of change (default: 3)" },
    "omit-inputs": { description: "leave out the inputs of examples and changes" },
    title: { value: "<text>", description: 'heading of the report (default: "Replay")' },
    format: { value: "<format>", choices: formats, description: "format of the report (default: text)" },
    report: {
      value: "<file>",
      multiple: true,
      description: "also write the report to this file: .txt, .json, .md, .xml (JUnit) or .html",
    },
    changes: { value: "<file>", description: "write every difference to this file, as NDJSON" },
  },
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
  async run(call, io) {
    const against = call.value("against");
    if (against === undefined) {
      throw new CommandError('decern replay needs --against <module>; "decern replay --help" shows how');
    }
    const allow = share(call, "allow");
    const maxInconclusive = share(call, "max-inconclusive");
    const examples = wholeNumber(call, "examples");
    const query = conditionsOf(call);
    const files = call
      .values("report")
      .map((path) => ({ path: resolve(io.cwd, path), format: formatOf(path) }));
    const { loadModule } = await import("../module/load-module.js");
    const { replay } = await import("@decern/replay");
    const { withRecords } = await import("../records/open-records.js");
    const module = await loadModule(against, io.cwd);
    const { decisions, profiles, versions } = await overlaid(module, call, io);
    const candidate = { decisions, versions, profiles };
    const baseline = await baselineOf(call, io);
    const changes = await changesFile(call, io);
    const progress = new Progress(io);
    const told = countRecords("Replayed");
    const report = await withRecords(call.positionals, io, {}, ({ log }) =>
      replay(log, candidate, {
        query,
        baseline,
        allow,
        maxInconclusive,
        examples,
        label: call.value("label"),
        prediction: call.value("prediction"),
        onDifference: changes?.write,
        onProgress: (records) => progress.tell(() => told(records)),
        signal: io.signal,
      }),
    ).finally(async () => {
      progress.end();
      await changes?.close();
    });
    await writeReport(report, files, call, io);
    const { tellLeftOut } = await import("../records/show-records.js");
    await tellLeftOut(report.unreadable.count, report.unreadable.first, io);
    if (report.records === 0 && report.unreadable.count > 0) return exitCodes.broken;
    if (report.isWithin) return exitCodes.ok;
    await explain(report, io);
    return exitCodes.failed;
  },
};

function formatOf(path: string): ReportFormat {
  const format = endings[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  throw new CommandError(`--report must end in ${Object.keys(endings).join(", ")}, not "${path}"`);
}

/** The module with the profiles of `--profiles` laid over its own. Says which stay: they may be what was meant. */
async function overlaid(module: DecisionModule, call: CommandCall, io: CommandIo): Promise<DecisionModule> {
  const { givenProfiles, withProfiles } = await import("../module/profile-file.js");
  const file = await givenProfiles(call, io);
  const kept = Object.keys(module.profiles ?? {}).filter(
    (key) => file !== undefined && !Object.hasOwn(file.profiles, key),
  );
  if (kept.length > 0) {
    await writeText(io.stderr, `decern: profiles as in the module: ${printable(kept.join(", "))}\n`);
  }
  return withProfiles(module, file);
}

async function baselineOf(call: CommandCall, io: CommandIo) {
  const path = call.value("baseline");
  if (path === undefined) return undefined;
  const { loadModule } = await import("../module/load-module.js");
  return (await loadModule(path, io.cwd)).decisions;
}

async function changesFile(call: CommandCall, io: CommandIo) {
  const path = call.value("changes");
  if (path === undefined) return undefined;
  const file = await LineFile.create(resolve(io.cwd, path));
  const omitsInputs = call.flag("omit-inputs");
  return {
    write: (difference: ReplayDifference) => file.write(JSON.stringify(changeOf(difference, omitsInputs))),
    close: () => file.close(),
  };
}

/** The result first: a record is long. */
function changeOf({ verdict, reason, before, after, record }: ReplayDifference, omitsInputs: boolean) {
  return { verdict, reason, before, after, record: omitsInputs ? { ...record, payload: null } : record };
}

async function writeReport(
  report: ReplayReport,
  files: readonly { readonly path: string; readonly format: ReportFormat }[],
  call: CommandCall,
  io: CommandIo,
): Promise<void> {
  const { formatReport } = await import("@decern/replay");
  const { writeFile } = await import("node:fs/promises");
  const options = { omitInputs: call.flag("omit-inputs"), title: call.value("title") };
  for (const { path, format } of files) await writeFile(path, formatReport(report, format, options));
  const format = formats.find((each) => each === call.value("format")) ?? "text";
  await writeText(
    io.stdout,
    formatReport(report, format, { ...options, width: io.columns, color: io.hasColor }),
  );
}

/** The report may have gone to a file. */
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
  await writeText(io.stderr, reasons.map((reason) => `decern: ${reason}\n`).join(""));
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}
