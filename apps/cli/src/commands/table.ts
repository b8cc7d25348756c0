import { CommandError, defineCommand, exitCodes } from "../command-line/command.js";
import { writeBytes } from "../command-line/files.js";
import {
  choice,
  formatOption,
  profilesOption,
  required,
  since,
  text,
  texts,
} from "../command-line/options.js";
import { say, writeLines } from "../command-line/output.js";
import { plural, printable } from "../text/text.js";

export const contractOption = {
  contract: required("<module>", "module that exports the table's contract (required)"),
};

export const tableCheckCommand = defineCommand({
  name: "table check",
  summary: "Check a decision table, and find its gaps and overlaps",
  positionals: "<file>",
  options: {
    ...contractOption,
    table: text("<id>", "of several tables in a workbook, the one to check (default: all)"),
    ...profilesOption,
    ...formatOption,
  },
  examples: [
    [
      "decern table check fee.xlsx --contract contracts.ts",
      "Prints every problem with its sheet, row and column, and what the analysis found.",
    ],
  ],
  exits: {
    0: "no errors; there may be gaps and warnings",
    1: "errors, wrong usage, or a file or module that cannot be read",
  },
  async run({ positionals: [path = ""], options }, io) {
    const { analyzeTable, checkTable, tableIds } = await import("@decern/table");
    const { contractOf, loadContracts, profileOf, readTableFile, tableProblemText } = await import(
      "../module/table-inputs.js"
    );
    const { givenProfiles } = await import("../module/profile-file.js");
    const { showAnalysis } = await import("../text/show-table.js");
    const contracts = await loadContracts(options.contract, io.cwd);
    const source = await readTableFile(path, io.cwd);
    const given = (await givenProfiles(options, io))?.profiles;
    const ids = options.table === undefined ? tableIds(source) : [options.table];
    const found = (ids.length === 0 ? [undefined] : ids).map((id) => {
      const contract = contractOf(contracts, id, source);
      const { decision, problems } = checkTable(contract, source);
      const analysis = decision && analyzeTable(decision, { profile: profileOf(contract, contracts, given) });
      return { table: contract.id, problems, analysis };
    });
    const errors = found.map(
      ({ problems, analysis }) =>
        problems.filter(({ severity }) => severity === "error").length +
        (analysis?.overlaps.filter(({ isError }) => isError).length ?? 0),
    );
    const lines = found.flatMap(({ table, problems, analysis }, index) => [
      ...problems.map(tableProblemText),
      ...(analysis === undefined ? [] : showAnalysis(analysis)),
      errors[index] === 0
        ? `${path}: table "${table}" is valid`
        : `${path}: table "${table}" has ${plural(errors[index] ?? 0, "error")}`,
    ]);
    await writeLines(io, options, found, lines);
    return errors.every((count) => count === 0) ? exitCodes.ok : exitCodes.broken;
  },
});

export const tableConvertCommand = defineCommand({
  name: "table convert",
  summary: "Convert a decision table between JSON, CSV and XLSX",
  positionals: "<file> <result>",
  options: {
    contract: text(
      "<module>",
      "module with the table's contract: checks cells, and writes each as its column holds it",
    ),
    table: text("<id>", "of several tables in a workbook, the one to convert"),
    delimiter: choice(
      "<name>",
      ["comma", "semicolon", "tab"],
      "what separates the fields of CSV (default: comma)",
    ),
  },
  examples: [
    ["decern table convert fee.xlsx fee.json", "The extension of the result sets its form."],
    [
      "decern table convert fee.json fee.csv --delimiter semicolon --contract contracts.ts",
      "Writes CSV for a spreadsheet program whose decimals have a comma.",
    ],
  ],
  exits: { 0: "converted", 1: "errors in the table, wrong usage, or a file that cannot be read or written" },
  async run({ positionals: [path = "", result = ""], options }, io) {
    const { checkTable, readTableDocument, tableIds, writeTable } = await import("@decern/table");
    const {
      contractOf,
      loadContracts,
      formOf: formOfFile,
      readTableFile,
      tableProblemText,
    } = await import("../module/table-inputs.js");
    const form = formOfFile(result);
    const source = await readTableFile(path, io.cwd);
    const id = options.table ?? onlyOne(tableIds(source), path);
    const { document, problems } =
      options.contract === undefined
        ? readTableDocument(source, id)
        : checkTable(contractOf(await loadContracts(options.contract, io.cwd), id, source), source);
    for (const problem of problems) await say(io, printable(tableProblemText(problem)));
    if (document === undefined) return exitCodes.broken;
    const delimiter = ({ comma: ",", semicolon: ";", tab: "\t" } as const)[options.delimiter ?? "comma"];
    await writeBytes(result, io.cwd, writeTable(document, form, { delimiter }));
    await say(io, `${result}: table "${document.table}", ${plural(document.rules.length, "row")}`);
    return exitCodes.ok;
  },
});

export function onlyOne(ids: readonly string[], path: string): string | undefined {
  if (ids.length > 1)
    throw new CommandError(`${path} has the tables ${ids.join(", ")}; choose one with --table`);
  return ids[0];
}

export const tableNewCommand = defineCommand({
  name: "table new",
  summary: "Write an empty decision table for a contract",
  positionals: "<result>",
  options: {
    ...contractOption,
    table: text("<id>", "of several contracts, the one to write a table for"),
    "hit-policy": choice(
      "<policy>",
      ["U", "A", "P", "F", "R", "O", "C", "C+", "C<", "C>", "C#"],
      "how rows decide (default: U, or C for lists)",
    ),
  },
  examples: [
    [
      "decern table new fee.xlsx --contract contracts.ts",
      "Writes a workbook with headings, what each column holds, and a drop-down for each enum.",
    ],
  ],
  exits: { 0: "written", 1: "wrong usage, a module that cannot be loaded, or a file that exists" },
  async run({ positionals: [result = ""], options }, io) {
    const { newTable } = await import("@decern/table");
    const { contractOf, loadContracts, formOf: formOfFile } = await import("../module/table-inputs.js");
    const form = formOfFile(result);
    const contract = contractOf(await loadContracts(options.contract, io.cwd), options.table);
    const bytes = newTable(contract, form, { hitPolicy: options["hit-policy"] });
    // What an analyst has filled in must not be lost.
    await writeBytes(result, io.cwd, bytes, "wx");
    await say(io, `${result}: table "${contract.id}", ready for its first row`);
    return exitCodes.ok;
  },
});

const defaultDays = 90;

export const tableCoverageCommand = defineCommand({
  name: "table coverage",
  summary: "Count how often records hit each row of a decision table",
  positionals: "<file>",
  options: {
    ...contractOption,
    table: text("<id>", "of several tables in a workbook, the one to count for"),
    log: texts(
      "<records>",
      "records to count (required); of policies P and F they have the deciding row only",
    ),
    since: since(`how long ago, such as 12h, 90d or 8w, or a day or an instant (default: ${defaultDays}d)`),
    ...formatOption,
  },
  examples: [
    [
      "decern table coverage fee.xlsx --contract contracts.ts --log records/ --since 90d",
      "Lists the hits of each row, and the rows that nothing met in 90 days.",
    ],
  ],
  exits: {
    0: "counted",
    1: "errors in the table, wrong usage, or a file, module or records that cannot be read",
    2: "no record in that time was made by this table",
  },
  async run({ positionals: [path = ""], options }, io) {
    const { log: places, since: given } = options;
    if (places.length === 0) throw new CommandError("decern table coverage needs --log <records>");
    const { checkTable, tableIds } = await import("@decern/table");
    const { contractOf, loadContracts, readTableFile, tableProblemText } = await import(
      "../module/table-inputs.js"
    );
    const source = await readTableFile(path, io.cwd);
    const id = options.table ?? onlyOne(tableIds(source), path);
    const contracts = await loadContracts(options.contract, io.cwd);
    const contract = contractOf(contracts, id, source);
    const { decision, document, problems } = checkTable(contract, source);
    for (const problem of problems) await say(io, printable(tableProblemText(problem)));
    if (decision === undefined || document === undefined) return exitCodes.broken;
    const { TableCoverage } = await import("../records/table-coverage.js");
    const { withRecords } = await import("../records/open-records.js");
    const { showCoverage } = await import("../text/show-table.js");
    const { tellLeftOut } = await import("../records/show-records.js");
    const from = given ?? new Date(Date.now() - defaultDays * 86_400_000);
    const coverage = new TableCoverage(decision, document);
    let read = 0;
    let leftOut = 0;
    await withRecords(places, io, {}, async ({ log }, progress) => {
      const told = progress.counter("Read");
      // Records of other decisions may have used the table.
      for await (const record of log.find({ from, onUnreadable: () => (leftOut += 1) })) {
        io.signal.throwIfAborted();
        coverage.add(record);
        read += 1;
        told(read);
      }
    });
    await tellLeftOut(leftOut, [], io);
    const found = { table: decision.id, since: from.toISOString(), ...coverage.found };
    await writeLines(io, options, found, showCoverage(found));
    if (read === 0 && leftOut > 0) return exitCodes.broken;
    return found.evaluations === 0 ? exitCodes.failed : exitCodes.ok;
  },
});
