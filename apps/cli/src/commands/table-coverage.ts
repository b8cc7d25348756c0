import { CommandError, defineCommand, exitCodes } from "../command-line/command.js";
import { formatOption, since, text, texts } from "../command-line/options.js";
import { countRecords, Progress, say, writeResult } from "../command-line/output.js";
import { printable } from "../text/text.js";
import { contractOption, onlyOne } from "./table.js";

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
    const { contractOf, loadContracts } = await import("../module/load-contracts.js");
    const { readTableFile, tableProblemText } = await import("../module/table-file.js");
    const source = await readTableFile(path, io.cwd);
    const id = options.table ?? onlyOne(tableIds(source), path);
    const contract = contractOf(await loadContracts(options.contract, io.cwd), id);
    const { decision, document, problems } = checkTable(contract, source);
    for (const problem of problems) await say(io, printable(tableProblemText(problem)));
    if (decision === undefined || document === undefined) return exitCodes.broken;
    const { TableCoverage } = await import("../records/table-coverage.js");
    const { withRecords } = await import("../records/open-records.js");
    const { showCoverage } = await import("../text/show-coverage.js");
    const { tellLeftOut } = await import("../records/show-records.js");
    const from = given ?? new Date(Date.now() - defaultDays * 86_400_000);
    const coverage = new TableCoverage(decision, document);
    const progress = new Progress(io);
    const told = countRecords("Read");
    let read = 0;
    let leftOut = 0;
    await withRecords(places, io, {}, async ({ log }) => {
      // Records of other decisions may have used the table.
      for await (const record of log.find({ from, onUnreadable: () => (leftOut += 1) })) {
        io.signal.throwIfAborted();
        coverage.add(record);
        read += 1;
        progress.tell(() => told(read));
      }
    }).finally(() => progress.end());
    await tellLeftOut(leftOut, [], io);
    const found = { table: decision.id, since: from.toISOString(), ...coverage.found };
    await writeResult(io, options, found, () =>
      showCoverage(found)
        .map((line) => `${printable(line)}\n`)
        .join(""),
    );
    if (read === 0 && leftOut > 0) return exitCodes.broken;
    return found.evaluations === 0 ? exitCodes.failed : exitCodes.ok;
  },
});
