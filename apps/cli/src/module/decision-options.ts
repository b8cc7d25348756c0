import type { CommandOption } from "../command-line/command.js";

/** How commands are told which version of a decision evaluates, and with which profile. */
export const decisionOptions = {
  profile: {
    value: "<file>",
    short: "p",
    description: "JSON file with a profile (default: that of the module)",
  },
  version: {
    value: "<version>",
    description: "version of the decision (default: the one a server uses)",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;
