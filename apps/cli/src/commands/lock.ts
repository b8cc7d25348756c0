import { dirname, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { DecisionLock, LockCheck } from "@decern/testing";
import {
  type Command,
  type CommandCall,
  CommandError,
  type CommandIo,
  exitCodes,
} from "../command-line/command.js";
import { replaceFile, textOf } from "../command-line/files.js";
import { formatOption, isJson, jsonText, wholeNumber } from "../command-line/options.js";
import { Progress, writeText } from "../command-line/output.js";
import type { DecisionModule } from "../module/load-module.js";
import { plural, sentenceOf } from "../text/text.js";

export const lockCommand: Command = {
  name: "lock",
  summary: "Lock the behaviour of decisions, and check that it stays the same",
  positionals: "<module>",
  counts: [1, 1],
  options: {
    check: { description: "compare with the lock, and write nothing" },
    accept: {
      value: "<id@version>",
      multiple: true,
      description: "accept the changed behaviour of this version without a new version number",
    },
    file: { value: "<file>", description: "lock file (default: decern.lock.json next to the module)" },
    runs: { value: "<n>", description: "maximum inputs to try per decision (default: 20000)" },
    seed: { value: "<n>", description: "the same seed finds the same inputs (default: 1)" },
    ...formatOption,
  },
  examples: [
    ["decern lock decisions.ts", "Writes decern.lock.json, or adds new versions and inputs to it."],
    [
      "decern lock decisions.ts --check",
      "Fails if the behaviour changed but the version did not. Use it in CI.",
    ],
    ["decern lock decisions.ts --accept loan-approval@1.2.0", "Accepts a change that needs no new version."],
  ],
  exits: {
    0: "every version behaves as locked",
    1: "wrong usage, or a module or lock that cannot be read",
    2: "a version behaves differently; the output shows the smallest input",
  },
  async run(call, io) {
    const [path = ""] = call.positionals;
    if (call.flag("check") && call.values("accept").length > 0) {
      throw new CommandError("--check cannot be combined with --accept");
    }
    const runs = wholeNumber(call, "runs");
    const seed = wholeNumber(call, "seed");
    const { loadModule } = await import("../module/load-module.js");
    const module = await loadModule(path, io.cwd);
    const given = call.value("file");
    const file =
      given === undefined ? join(dirname(module.path), "decern.lock.json") : resolve(io.cwd, given);
    let earlier = await readEarlier(file);
    const progress = new Progress(io);
    progress.show(
      `${call.flag("check") ? "Checking" : "Locking"} ${plural(module.decisions.length, "version")} …`,
    );
    // What was shown reaches the terminal before the work begins.
    await setImmediate();
    if (call.flag("check")) return await check(module, { file, earlier }, progress, call, io);
    const { updateLock, writeLock } = await import("@decern/testing");
    const { moduleSources } = await import("../module/load-module.js");
    const sources = await moduleSources(module.path);
    const accept = call.values("accept");
    let isNew = true;
    for (;;) {
      const { lock, differences } = updateLock(module, earlier?.lock, { runs, seed, accept, sources });
      if (lock === undefined) {
        progress.end();
        return await report({ differences, unlocked: [], gone: [], unchanging: [] }, path, call, io);
      }
      const text = writeLock(lock);
      isNew = text !== earlier?.text;
      if (!isNew || (await replaceFile(file, text, earlier?.text))) break;
      // Another process has written it in the meantime: what that has locked stays.
      earlier = await readEarlier(file);
    }
    progress.end();
    await writeText(io.stderr, isNew ? `decern: wrote ${file}\n` : `decern: ${file} is up to date\n`);
    if (isJson(call))
      await writeText(io.stdout, jsonText({ differences: [], unlocked: [], gone: [], unchanging: [] }));
    return exitCodes.ok;
  },
};

/** A lock as it is on disk. */
interface EarlierLock {
  readonly text: string;
  readonly lock: DecisionLock;
}

async function readEarlier(file: string): Promise<EarlierLock | undefined> {
  const text = await textOf(file);
  if (text === undefined) return undefined;
  const { readLock } = await import("@decern/testing");
  try {
    return { text, lock: readLock(text) };
  } catch (cause) {
    throw new CommandError(`${file}: ${sentenceOf(cause)}`, { cause });
  }
}

async function check(
  module: DecisionModule,
  { file, earlier }: { readonly file: string; readonly earlier: EarlierLock | undefined },
  progress: Progress,
  call: CommandCall,
  io: CommandIo,
): Promise<number> {
  const { checkLock } = await import("@decern/testing");
  const path = call.positionals[0] ?? "";
  if (earlier === undefined) {
    progress.end();
    throw new CommandError(`${file} does not exist; "decern lock ${path}" creates it`);
  }
  const found = checkLock(module, earlier.lock);
  progress.end();
  return await report(found, path, call, io);
}

async function report(found: LockCheck, path: string, call: CommandCall, io: CommandIo): Promise<number> {
  const { showDifferences } = await import("../text/show-exploration.js");
  const { differences, unlocked, gone, unchanging } = found;
  await writeText(io.stdout, isJson(call) ? jsonText(found) : showDifferences(differences, path));
  if (unlocked.length > 0) {
    await writeText(
      io.stderr,
      `decern: not locked yet: ${unlocked.join(", ")}; "decern lock ${path}" adds them\n`,
    );
  }
  if (gone.length > 0)
    await writeText(io.stderr, `decern: locked, but not in the module: ${gone.join(", ")}\n`);
  for (const value of [true, false]) {
    const rules = unchanging.filter((condition) => condition.value === value);
    if (rules.length === 0) continue;
    const names = rules.map(({ decisionId, version, ruleId }) => `${decisionId}@${version} ${ruleId}`);
    await writeText(
      io.stderr,
      `decern: ${plural(rules.length, "condition")} never became ${!value}: ${names.join(", ")}; a change there may go undetected\n`,
    );
  }
  return differences.length === 0 ? exitCodes.ok : exitCodes.failed;
}
