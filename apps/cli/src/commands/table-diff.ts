import type { Decision } from "@decern/core";
import type { TableDiff } from "@decern/table";
import { type CommandIo, defineCommand, exitCodes, type Given } from "../command-line/command.js";
import { choice, formatOption, profilesOption, text, texts } from "../command-line/options.js";
import { say, writeLines, writeText } from "../command-line/output.js";
import { conditionOptions, conditionsOf } from "../records/query-options.js";
import type { ReplayedLog } from "../text/show-table.js";
import { printable } from "../text/text.js";
import { contractOption, onlyOne } from "./table.js";

/** Every record is of the decision that the table makes. */
const { decision: _, ...conditions } = conditionOptions;

const options = {
  ...contractOption,
  table: text("<id>", "of several tables in a workbook, the one to compare"),
  ...profilesOption,
  log: texts("<records>", "also evaluate these records of the decision again, with the new table"),
  ...conditions,
  ...formatOption,
  format: choice("<format>", ["text", "json", "markdown"], "form of the output (default: text)"),
};

export const tableDiffCommand = defineCommand({
  name: "table diff",
  summary: "Compare two decision tables: rows, and the inputs whose result changes",
  positionals: "<old> <new>",
  options,
  examples: [
    [
      "decern table diff old.xlsx fee.xlsx --contract contracts.ts",
      "Prints what was edited, and an input for each pair of rows that makes a difference.",
    ],
    [
      "decern table diff old.csv fee.csv --contract contracts.ts --log records/ --from 2026-03-01",
      "Also counts the records since March whose result would change.",
    ],
    [
      "decern table diff old.xlsx fee.xlsx --contract contracts.ts --format markdown > comment.md",
      "Writes a pull request comment.",
    ],
  ],
  exits: {
    0: "the tables are the same",
    1: "errors in a table, wrong usage, or a file or module that cannot be read",
    2: "the tables differ, if only in a note",
  },
  async run({ positionals: [old = "", path = ""], options }, io) {
    const { checkTable, diffTables, tableIds } = await import("@decern/table");
    const { contractOf, loadContracts, profileOf, readTableFile, tableProblemText } = await import(
      "../module/table-inputs.js"
    );
    const { givenProfiles } = await import("../module/profile-file.js");
    const contracts = await loadContracts(options.contract, io.cwd);
    const sources = [await readTableFile(old, io.cwd), await readTableFile(path, io.cwd)];
    const given = (await givenProfiles(options, io))?.profiles;
    const checked = sources.map((source) => {
      const id = options.table ?? onlyOne(tableIds(source), source.name);
      return checkTable(contractOf(contracts, id, source), source);
    });
    for (const problem of checked.flatMap(({ problems }) => problems))
      await say(io, printable(tableProblemText(problem)));
    const [before, after] = checked.map(({ decision }) => decision);
    const [oldDocument, document] = checked.map((one) => one.document);
    if (!before || !after || !oldDocument || !document) return exitCodes.broken;
    const profile = profileOf(contractOf(contracts, after.id), contracts, given);
    const diff = diffTables(before, after, { profile });
    const log = options.log.length === 0 ? undefined : await replayed(after, profile, options, io);
    if (options.format === "markdown") {
      const { tableDiffMarkdown } = await import("../text/table-diff-markdown.js");
      await writeText(io.stdout, tableDiffMarkdown(oldDocument, document, diff, log));
    } else {
      const { showTableDiff } = await import("../text/show-table.js");
      await writeLines(io, options, { table: after.id, ...diff, log }, showTableDiff(diff, log));
    }
    return isSame(diff) ? exitCodes.ok : exitCodes.failed;
  },
});

function isSame({ added, removed, changed, moved, metadata }: TableDiff): boolean {
  return [added, removed, changed, moved, metadata].every((list) => list.length === 0);
}

/** Evaluates the decision's records again; each is compared with the table that made it, where the log has it. */
async function replayed(
  decision: Decision,
  profile: unknown,
  { log: places, ...given }: Given<typeof options>,
  io: CommandIo,
): Promise<ReplayedLog> {
  const { replay } = await import("@decern/replay");
  const { isSameJson } = await import("@decern/core/tools");
  const { withRecords } = await import("../records/open-records.js");
  let onlyRow = 0;
  const profiles = profile === undefined ? {} : { [decision.id]: profile };
  const settings = {
    query: conditionsOf({ ...given, decision: decision.id }),
    baseline: "log",
    onDifference({ verdict, before, after }) {
      const statuses = [before, after].map((end) => end?.outcome.split("/", 1)[0]);
      if (verdict === "changed" && statuses[0] === statuses[1] && isSameJson(before?.data, after?.data))
        onlyRow += 1;
    },
    signal: io.signal,
  } satisfies Parameters<typeof replay>[2];
  const { counts, reasons, unreadable } = await withRecords(places, io, {}, ({ log }, progress) =>
    replay(
      log,
      { decisions: [decision], profiles },
      { ...settings, onProgress: progress.counter("Replayed") },
    ),
  );
  const { tellLeftOut } = await import("../records/show-records.js");
  await tellLeftOut(unreadable.count, unreadable.first, io);
  const { changed, ...others } = counts;
  return { changed: changed - onlyRow, onlyRow, ...others, reasons };
}
