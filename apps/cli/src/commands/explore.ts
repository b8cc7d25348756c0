import { setImmediate } from "node:timers/promises";
import type { Decision } from "@decern/core";
import type { Exploration } from "@decern/testing";
import { CommandError, defineCommand, exitCodes } from "../command-line/command.js";
import { flag, formatOption, profilesOption, share, wholeNumber } from "../command-line/options.js";
import { Progress, say, writeResult } from "../command-line/output.js";
import { meant } from "../text/text.js";

export const exploreCommand = defineCommand({
  name: "explore",
  summary: "Find inputs for every rule, overlaps, gaps and errors",
  positionals: "<module> [id]",
  options: {
    "min-coverage": share("share of rules that must decide some input, such as 100% (default: any)"),
    ...profilesOption,
    runs: wholeNumber("maximum inputs to try per decision (default: 20000)"),
    seed: wholeNumber("the same seed finds the same inputs (default: 1)"),
    all: flag("show every rule and overlap, however many there are"),
    ...formatOption,
  },
  examples: [
    ["decern explore decisions.ts", "Explores every decision of the module, in every version."],
    [
      "decern explore decisions.ts loan-approval --min-coverage 100%",
      "Fails if some rule decided none of the inputs tried.",
    ],
    [
      "decern explore decisions.ts loan-approval@2.0.0 --runs 200000 --seed 7 --format json",
      "Tries more inputs, with another seed, for one version, and prints everything found.",
    ],
  ],
  exits: {
    0: "explored",
    1: "wrong usage, or a module that cannot be loaded",
    2: "some decision is below --min-coverage",
  },
  async run({ positionals: [path = "", id], options }, io) {
    const { "min-coverage": least = 0, runs, seed, all } = options;
    const { loadModule, moduleFiles } = await import("../module/load-module.js");
    const { explore } = await import("@decern/testing");
    const { showExploration } = await import("../text/show-exploration.js");
    const { givenProfiles, withProfiles } = await import("../module/profile-file.js");
    const given = await givenProfiles(options, io);
    const { decisions, profiles, path: file } = withProfiles(await loadModule(path, io.cwd), given);
    const chosen = choose(decisions, id);
    const sources = [...(await moduleFiles(file)).values()];
    const progress = new Progress(io);
    const found: Exploration[] = [];
    try {
      for (const [index, decision] of chosen.entries()) {
        progress.show(`Exploring ${decision.id} ${decision.version} (${index + 1} of ${chosen.length}) …`);
        // What was shown reaches the terminal before the work begins.
        await setImmediate();
        found.push(explore(decision, { profiles, runs, seed, sources }));
      }
    } finally {
      progress.end();
    }
    await writeResult(io, options, found, () => found.map((one) => showExploration(one, all)).join("\n"));
    const below = found.filter(({ coverage }) => coverage < least);
    for (const { decisionId, decisionVersion, coverage } of below) {
      const reached = `${Math.floor(coverage * 100)}% of its rules`;
      const required = `${Number((least * 100).toPrecision(12))}%`;
      await say(io, `${decisionId} ${decisionVersion} reached ${reached}, and ${required} is required`);
    }
    return below.length === 0 ? exitCodes.ok : exitCodes.failed;
  },
});

/** Every version of one decision, one version of it, or everything. */
function choose(decisions: readonly Decision[], id: string | undefined): readonly Decision[] {
  const chosen = decisions.filter(
    (decision) => id === undefined || id === decision.id || id === `${decision.id}@${decision.version}`,
  );
  if (id === undefined || chosen.length > 0) return chosen;
  const [wanted, version] = id.split("@");
  const versions = decisions.filter((decision) => decision.id === wanted).map((one) => one.version);
  if (version !== undefined && versions.length > 0) {
    throw new CommandError(`${wanted} has no version ${version}, only ${versions.join(", ")}`);
  }
  const ids = [
    ...new Set(decisions.flatMap((decision) => [decision.id, `${decision.id}@${decision.version}`])),
  ];
  throw new CommandError(`the module has no decision "${id}"; ${meant(id, ids)}`);
}
