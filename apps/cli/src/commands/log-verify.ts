import { type Command, CommandError, exitCodes } from "../command-line/command.js";
import { countRecords, Progress } from "../command-line/progress.js";
import { formatOption, isJson, jsonText } from "./format-option.js";

export const logVerifyCommand: Command = {
  name: "log verify",
  summary: "Check every record and chain, and list the records with problems",
  positionals: "<records…>",
  counts: [1, Number.POSITIVE_INFINITY],
  options: {
    head: {
      value: "<hash>",
      multiple: true,
      description: "head of a chain from the operational log; fails if that record is missing",
    },
    ...formatOption,
  },
  examples: [
    [
      "decern log verify records/",
      "Checks hashes, chains, profiles and ids, and that each missing payload was erased.",
    ],
    [
      "decern log verify records/ --head sha256:3f9c…",
      "Also checks that the end is not missing, and tells what comes after the heads. They must be logged elsewhere.",
    ],
  ],
  exits: {
    0: "no problems found",
    1: "wrong usage, or records that cannot be read, or none at all",
    2: "problems found; the output lists the records",
  },
  async run(call, io) {
    const heads = call.values("head");
    const wrong = heads.find((head) => !/^sha256:[0-9a-f]{64}$/.test(head));
    if (wrong !== undefined)
      throw new CommandError(`--head must be sha256: and 64 hexadecimal digits, not "${wrong}"`);
    const { withRecords } = await import("../records/open-records.js");
    const { showVerification } = await import("../text/show-verification.js");
    const { writeText } = await import("../command-line/write-text.js");
    const progress = new Progress(io);
    const told = countRecords("Verified");
    const onRecord = (records: number): void => progress.tell(() => told(records));
    const found = await withRecords(call.positionals, io, {}, ({ log }) =>
      log.verify({ heads, onRecord }),
    ).finally(() => progress.end());
    if (found.chains.length === 0) throw new CommandError("found no chain to verify");
    await writeText(io.stdout, isJson(call) ? jsonText(found) : showVerification(found));
    return found.ok ? exitCodes.ok : exitCodes.failed;
  },
};
