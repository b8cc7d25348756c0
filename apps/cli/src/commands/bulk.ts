import { CommandError, defineCommand, type Given } from "../command-line/command.js";
import {
  choice,
  decisionOptions,
  emitOption,
  flag,
  instant,
  text,
  texts,
  wholeNumber,
} from "../command-line/options.js";

const mebibyte = 1024 * 1024;

/** Options that say something about files. */
const fileOptions = {
  format: choice(
    "<format>",
    ["ndjson", "csv", "parquet"],
    "format of the input (default: by file extension)",
  ),
  to: choice("<format>", ["ndjson", "csv"], "format of the results (default: ndjson)"),
  threads: wholeNumber("maximum threads, up to 256 (default: as many as there are cores)", {
    least: 1,
    most: 256,
  }),
  "part-size": wholeNumber("MiB of input for each file of output (default: 8)", { least: 1, most: 2047 }),
  build: text("<id>", "your build, such as a commit; a job resumes only with the same build"),
};

const options = {
  stdin: flag("evaluate each line of standard input and print a result for it"),
  ...fileOptions,
  emit: choice("<form>", ["compact", "envelope", "record"], emitOption.description),
  key: text("<pointer>", "path of the input's key, such as /applicant/id, for every result"),
  mask: texts("<pointer>", "what records leave out, such as /input/name; with --emit record"),
  ...decisionOptions,
  now: instant("instant of all evaluations (default: when the job is started first)"),
  "max-line": wholeNumber("maximum bytes of a line or row (default: 1048576)", {
    least: 1,
    most: 256 * mebibyte,
  }),
};

export const bulkCommand = defineCommand({
  name: "bulk",
  summary: "Evaluate every input of a file, or of standard input",
  positionals: "<module> <id> [input] [folder]",
  options,
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
    1: "wrong usage, a module that cannot be loaded, or a rejected job",
    2: "some inputs were invalid or failed; their results say why",
    130: "interrupted (SIGTERM: 143); for a file, run the same command to continue",
  },
  async run({ positionals: [module = "", id = "", input, output], options }, io) {
    const { emit, mask, key, now, version, "max-line": maxLine, "profile-name": profileName } = options;
    checkCombination(options);
    if (options.stdin) checkFilter(options, input);
    const { givenProfiles } = await import("../module/profile-file.js");
    const profiles = await givenProfiles(options, io);
    const data = { module, cwd: io.cwd, id, version, profiles, profileName, mask };
    if (emit !== "record" && options.stdin) {
      const { runBulkFilter } = await import("../bulk/run-bulk.js");
      return await runBulkFilter({ data, emit, key, now, maxLine }, io);
    }
    if (input === undefined || output === undefined) {
      throw new CommandError(
        'decern bulk needs an input and a folder, or --stdin; "decern bulk --help" shows how',
      );
    }
    const { resolve } = await import("node:path");
    const { format, to, build, threads, "part-size": partMebibytes } = options;
    const settings = {
      input: resolve(io.cwd, input),
      output: resolve(io.cwd, output),
      format,
      emit: to === "csv" ? to : emit,
      key,
      now,
      build,
      threads,
      partBytes: partMebibytes === undefined ? undefined : partMebibytes * mebibyte,
      maxLine,
    };
    const { argumentError, runBulkFile } = await import("../bulk/run-bulk.js");
    return await runBulkFile(settings, data, io).catch((error: unknown) => {
      throw argumentError(error, settings);
    });
  },
});

type BulkOptions = Given<typeof options>;

function checkCombination({ mask, emit, to, key }: BulkOptions): void {
  if (mask.length > 0 && emit !== "record") throw new CommandError("--mask needs --emit record");
  if (to === "csv" && emit !== undefined)
    throw new CommandError(`--to csv cannot be used with --emit ${emit}`);
  if (key !== undefined && emit === "record")
    throw new CommandError("--key cannot be used with --emit record");
}

function checkFilter(options: BulkOptions, input: string | undefined): void {
  if (input !== undefined) throw new CommandError(`--stdin reads no file; leave out "${input}"`);
  const given = new Map<string, unknown>(Object.entries(options));
  const stray = Object.keys(fileOptions).find((name) => given.get(name) !== undefined);
  if (stray !== undefined) throw new CommandError(`--${stray} cannot be used with --stdin`);
  if (options.emit === "record")
    throw new CommandError("--emit record needs an input file and an output folder, not --stdin");
  if (options.profiles === "-")
    throw new CommandError("--stdin reads inputs, so the profiles cannot come from there");
}
