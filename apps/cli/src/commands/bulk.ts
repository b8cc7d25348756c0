import { type Command, type CommandCall, CommandError } from "../command-line/command.js";
import { decisionOptions, emitOf, emitOption, instant, wholeNumber } from "../command-line/options.js";

const forms = ["compact", "envelope", "record"] as const;

const tables = ["ndjson", "csv"] as const;

const formats = ["ndjson", "csv", "parquet"] as const;

const mebibyte = 1024 * 1024;

/** Options that say something about files. */
const fileOptions = ["format", "to", "threads", "part-size", "build"] as const;

export const bulkCommand: Command = {
  name: "bulk",
  summary: "Evaluate every input of a file, or of standard input",
  positionals: "<module> <id> [input] [folder]",
  counts: [2, 4],
  options: {
    stdin: { description: "evaluate each line of standard input and print a result for it" },
    format: {
      value: "<format>",
      choices: formats,
      description: "format of the input (default: by file extension)",
    },
    emit: { ...emitOption, choices: forms },
    to: {
      value: "<format>",
      choices: tables,
      description: "format of the results (default: ndjson)",
    },
    key: {
      value: "<pointer>",
      description: "path of the input's key, such as /applicant/id, for every result",
    },
    mask: {
      value: "<pointer>",
      multiple: true,
      description: "what records leave out, such as /input/name; with --emit record",
    },
    ...decisionOptions,
    now: {
      value: "<time>",
      description: "instant of all evaluations (default: when the job is started first)",
    },
    build: {
      value: "<id>",
      description: "your build, such as a commit; a job resumes only with the same build",
    },
    threads: { value: "<n>", description: "most threads, up to 256 (default: as many as there are cores)" },
    "part-size": { value: "<n>", description: "MiB of input for each file of output (default: 8)" },
    "max-line": { value: "<n>", description: "maximum bytes of a line or row (default: 1048576)" },
  },
  examples: [
    [
      "decern bulk decisions.ts loan-approval loans.ndjson decided",
      "Evaluates every line and writes the results to the folder. If interrupted, run the same command to continue.",
    ],
    [
      "decern bulk decisions.ts loan-approval loans.csv decided --now 2026-03-01 --emit envelope",
      "Evaluates the rows of a CSV file as of 1 March and writes complete envelopes.",
    ],
    [
      "decern bulk decisions.ts loan-approval loans.csv decided --to csv --key /applicant/id",
      "Writes a table with the applicant's id, to join with the input.",
    ],
    [
      "decern bulk decisions.ts loan-approval loans.ndjson decided --emit record --mask /input/name",
      "Writes a record for each input, for decern log and decern replay.",
    ],
    [
      "decern bulk decisions.ts loan-approval --stdin < loans.ndjson > decided.ndjson",
      "Reads lines and prints results, as a filter in a pipeline.",
    ],
  ],
  exits: {
    0: "every input has a result",
    1: "wrong usage, a module that cannot be loaded, or a refused job",
    2: "some inputs were invalid or failed; their results say why",
    130: "interrupted (SIGTERM: 143); for a file, run the same command to continue",
  },
  async run(call, io) {
    const [module = "", id = "", input, output] = call.positionals;
    const emit = forms.find((form) => form === call.value("emit"));
    const mask = call.values("mask");
    if (mask.length > 0 && emit !== "record") throw new CommandError("--mask needs --emit record");
    const isTable = call.value("to") === "csv";
    if (isTable && emit !== undefined) throw new CommandError(`--to csv cannot be used with --emit ${emit}`);
    const key = call.value("key");
    if (key !== undefined && emit === "record")
      throw new CommandError("--key cannot be used with --emit record");
    const now = instant(call, "now");
    const maxLine = wholeNumber(call, "max-line", { least: 1, most: 256 * mebibyte });
    const threads = wholeNumber(call, "threads", { least: 1, most: 256 });
    const partMebibytes = wholeNumber(call, "part-size", { least: 1, most: 2047 });
    const { givenProfiles } = await import("../module/profile-file.js");
    const isFilter = call.flag("stdin");
    if (isFilter) checkFilter(call);
    const profiles = await givenProfiles(call, io);
    const profileName = call.value("profile-name");
    const data = { module, cwd: io.cwd, id, version: call.value("version"), profiles, profileName, mask };
    if (isFilter) {
      const { runBulkFilter } = await import("../bulk/run-filter.js");
      return await runBulkFilter({ data, emit: emitOf(emit), key, now, maxLine }, io);
    }
    if (input === undefined || output === undefined) {
      throw new CommandError(
        'decern bulk needs an input and a folder, or --stdin; "decern bulk --help" shows how',
      );
    }
    const { resolve } = await import("node:path");
    const settings = {
      input: resolve(io.cwd, input),
      output: resolve(io.cwd, output),
      format: formats.find((name) => name === call.value("format")),
      emit: isTable ? ("csv" as const) : emit,
      key,
      now,
      build: call.value("build"),
      threads,
      partBytes: partMebibytes === undefined ? undefined : partMebibytes * mebibyte,
      maxLine,
    };
    const { runBulkFile } = await import("../bulk/run-bulk.js");
    const { inputError } = await import("../bulk/run-bulk.js");
    return await runBulkFile(settings, data, io).catch((error: unknown) => {
      throw inputError(error, settings.input);
    });
  },
};

function checkFilter(call: CommandCall): void {
  const [, , input] = call.positionals;
  if (input !== undefined) throw new CommandError(`--stdin reads no file; leave out "${input}"`);
  const stray = fileOptions.find((name) => call.value(name) !== undefined);
  if (stray !== undefined) throw new CommandError(`--${stray} cannot be used with --stdin`);
  if (call.value("emit") === "record")
    throw new CommandError("--emit record needs an input file and an output folder, not --stdin");
  if (call.value("profiles") === "-")
    throw new CommandError("--stdin reads inputs, so the profiles cannot come from there");
}
