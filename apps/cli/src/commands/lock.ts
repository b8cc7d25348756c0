import { dirname, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { DecisionLock, LockCheck, LockUpdate } from "@decern/testing";
import {
  CommandError,
  type CommandIo,
  defineCommand,
  exitCodes,
  type Given,
} from "../command-line/command.js";
import { replaceFile, textOf } from "../command-line/files.js";
import { flag, formatOption, text, texts, wholeNumber } from "../command-line/options.js";
import { Progress, say, writeResult } from "../command-line/output.js";
import type { DecisionModule } from "../module/load-module.js";
import { plural, sentenceOf } from "../text/text.js";

export const lockCommand = defineCommand({
  name: "lock",
  summary: "Lock the behaviour of decisions, and check that it stays the same",
  positionals: "<module>",
  options: {
    check: flag("compare with the lock, and write nothing"),
    accept: texts(
      "<id@version>",
      "accept the changed behaviour of this version without a new version number",
    ),
    file: text("<file>", "lock file (default: decern.lock.json next to the module)"),
    runs: wholeNumber("maximum inputs to try per decision (default: 20000)"),
    seed: wholeNumber("the same seed finds the same inputs (default: 1)"),
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
  async run({ positionals: [path = ""], options }, io) {
    const { check: checks, accept, runs, seed } = options;
    if (checks && accept.length > 0) throw new CommandError("--check cannot be combined with --accept");
    const { loadModule, moduleFiles } = await import("../module/load-module.js");
    const { checkLock, updateLock } = await import("@decern/testing");
    const module = await loadModule(path, io.cwd);
    const file = options.file === undefined ? besideModule(module) : resolve(io.cwd, options.file);
    const earlier = await readEarlier(file);
    const progress = new Progress(io);
    progress.show(`${checks ? "Checking" : "Locking"} ${plural(module.decisions.length, "version")} …`);
    // What was shown reaches the terminal before the work begins.
    await setImmediate();
    if (checks) {
      if (earlier === undefined) {
        progress.end();
        throw new CommandError(`${file} does not exist; "decern lock ${path}" creates it`);
      }
      const found = checkLock(module, earlier.lock);
      progress.end();
      return await report(found, path, options, io);
    }
    const settings = { runs, seed, accept, sources: [...(await moduleFiles(module.path)).values()] };
    const { differences, isNew } = await writeUpdated(file, earlier, (lock) =>
      updateLock(module, lock, settings),
    );
    progress.end();
    const found = { differences, unlocked: [], gone: [], unchanging: [] };
    if (differences.length > 0) return await report(found, path, options, io);
    await say(io, isNew ? `wrote ${file}` : `${file} is up to date`);
    await writeResult(io, options, found, () => "");
    return exitCodes.ok;
  },
});

function besideModule({ path }: DecisionModule): string {
  return join(dirname(path), "decern.lock.json");
}

/**
 * Writes what a lock becomes, unless there are differences. If another process has written the file in the meantime, what that
 * has locked stays.
 */
async function writeUpdated(
  file: string,
  read: EarlierLock | undefined,
  update: (lock: DecisionLock | undefined) => LockUpdate,
): Promise<Pick<LockUpdate, "differences"> & { readonly isNew: boolean }> {
  const { writeLock } = await import("@decern/testing");
  for (let earlier = read; ; earlier = await readEarlier(file)) {
    const { lock, differences } = update(earlier?.lock);
    if (lock === undefined) return { differences, isNew: false };
    const text = writeLock(lock);
    const isNew = text !== earlier?.text;
    if (!isNew || (await replaceFile(file, text, earlier?.text))) return { differences, isNew };
  }
}

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
    // The error speaks of a request, and of a file without its name.
    const sentence = sentenceOf(cause).replace("Bad request: the lock file: ", "");
    throw new CommandError(`${file}: ${sentence}`, { cause });
  }
}

async function report(
  found: LockCheck,
  path: string,
  options: Given<typeof formatOption>,
  io: CommandIo,
): Promise<number> {
  const { showDifferences } = await import("../text/show-exploration.js");
  const { differences, unlocked, gone, unchanging } = found;
  await writeResult(io, options, found, () => showDifferences(differences, path));
  if (unlocked.length > 0) {
    await say(io, `not locked yet: ${unlocked.join(", ")}; "decern lock ${path}" adds them`);
  }
  if (gone.length > 0) await say(io, `locked, but not in the module: ${gone.join(", ")}`);
  for (const value of [true, false]) {
    const rules = unchanging.filter((condition) => condition.value === value);
    if (rules.length === 0) continue;
    const names = rules.map(({ decisionId, version, ruleId }) => `${decisionId}@${version} ${ruleId}`);
    const never = `${plural(rules.length, "condition")} never became ${!value}: ${names.join(", ")}`;
    await say(io, `${never}; a change there may go undetected`);
  }
  return differences.length === 0 ? exitCodes.ok : exitCodes.failed;
}
