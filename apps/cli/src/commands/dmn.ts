import { basename, dirname } from "node:path";
import { CommandError, type CommandIo, defineCommand, exitCodes } from "../command-line/command.js";
import { writeBytes } from "../command-line/files.js";
import { choice, formatOption, optionalText } from "../command-line/options.js";
import { Progress, say, writeLines } from "../command-line/output.js";
import type { KitResult } from "../text/kit-results.js";
import { plural } from "../text/text.js";

const dialectOption = {
  dialect: choice(
    "<dialect>",
    ["dmn", "camunda"],
    "camunda: names that nothing defines are inputs (default: dmn)",
  ),
};

function dialectOf({ dialect }: { readonly dialect: "dmn" | "camunda" | undefined }) {
  return dialect === undefined ? {} : { dialect };
}

export const dmnCheckCommand = defineCommand({
  name: "dmn check",
  summary: "Check DMN models and their tables, and list what is not supported",
  positionals: "<files…>",
  options: { ...dialectOption, ...formatOption },
  examples: [
    [
      "decern dmn check lending.dmn",
      "Prints every problem with its element and line. Imported models are read from the same folder.",
    ],
  ],
  exits: {
    0: "no errors; there may be warnings, of parts that are null whatever the input",
    1: "models that are rejected, rows that contradict each other, or wrong usage",
  },
  async run({ positionals, options }, io) {
    const { checkDmn } = await import("@decern/dmn");
    const { readDmnFile } = await import("../module/dmn-files.js");
    const { analyzeModels, findingText, tableLines } = await import("../module/dmn-findings.js");
    const check = async (file: string) => {
      const documents = await readDmnFile(file, io.cwd);
      const findings = checkDmn(documents, dialectOf(options));
      const isLoaded = findings.every(({ severity }) => severity === "warning");
      const tables = isLoaded ? analyzeModels(documents, dialectOf(options)) : [];
      const isDecided = tables.every(
        (table) => !("findings" in table) || table.findings.overlaps.every(({ isError }) => !isError),
      );
      return { file, isValid: isLoaded && isDecided, findings, tables };
    };
    const found = await Promise.all(positionals.map(check));
    const lines = found.flatMap(({ file, isValid, findings, tables }) => [
      ...findings.map(findingText),
      ...tables.flatMap(tableLines),
      `${file}: ${isValid ? "valid" : "has errors"}`,
    ]);
    await writeLines(io, options, found, lines);
    return found.every(({ isValid }) => isValid) ? exitCodes.ok : exitCodes.broken;
  },
});

export const dmnTestCommand = defineCommand({
  name: "dmn test",
  summary: "Run test files in the form of the DMN compatibility kit",
  positionals: "<folder>",
  options: {
    ...dialectOption,
    level: choice("<level>", ["2", "3"], "only folders in compliance-level-2 or -3"),
    csv: optionalText(
      "[file]",
      "tck_results.csv",
      "results as the kit takes them, with a .properties file (default: tck_results.csv)",
    ),
    ...formatOption,
  },
  examples: [
    ["decern dmn test models/", "Runs the tests in each folder on the models that are there too."],
    ["decern dmn test TestCases/ --level 3 --csv", "Runs the kit, and writes what it publishes."],
  ],
  exits: {
    0: "every case passes",
    1: "a case fails, there is none, wrong usage, or a folder that cannot be read",
  },
  async run({ positionals: [path = ""], options }, io) {
    const { testDmn } = await import("@decern/dmn");
    const { testFolders } = await import("../module/dmn-files.js");
    const { levelsOf, showKitResults } = await import("../text/kit-results.js");
    const results: KitResult[] = [];
    const progress = new Progress(io);
    for await (const { path: place, models, tests } of testFolders(path, io.cwd)) {
      io.signal.throwIfAborted();
      const [folder, level] = [basename(place), basename(dirname(place))];
      if (options.level !== undefined && level !== `compliance-level-${options.level}`) continue;
      progress.tell(() => `${level}/${folder}`);
      const own = testDmn(models, tests, dialectOf(options));
      results.push(...own.map((result) => ({ level, folder, ...result })));
    }
    progress.end();
    if (results.length === 0) throw new CommandError(`there are no test cases in ${path}`);
    if (options.csv !== undefined) await writeKitFiles(options.csv, results, io);
    const failed = results.filter(({ status }) => status === "ERROR");
    await writeLines(io, options, { levels: levelsOf(results), failed }, showKitResults(results));
    return failed.length === 0 ? exitCodes.ok : exitCodes.broken;
  },
});

async function writeKitFiles(csv: string, results: readonly KitResult[], io: CommandIo): Promise<void> {
  const { kitCsv, kitProperties } = await import("../text/kit-results.js");
  const { ownVersion } = await import("../command-line/run-command-line.js");
  const day = new Date().toISOString().slice(0, 10);
  const properties = `${csv.replace(/\.csv$/, "")}.properties`;
  await writeBytes(csv, io.cwd, kitCsv(results));
  await writeBytes(properties, io.cwd, kitProperties(await ownVersion(), day));
  await say(io, `${csv}: ${plural(results.length, "case")}; ${properties} says of what`);
}
