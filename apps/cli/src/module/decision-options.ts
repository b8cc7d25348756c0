import type { CommandOption } from "../command-line/command.js";

/** The file of profiles, the same for every command. */
export const profilesOption = {
  profiles: {
    value: "<file>",
    short: "p",
    description:
      "JSON file of profiles by decision id, laid over the module's: ids it does not name keep theirs",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** How commands are told which version of a decision evaluates, and with which profile. */
export const decisionOptions = {
  ...profilesOption,
  "profile-name": {
    value: "<name>",
    description: "evaluate with this named profile: strict is the one under id#strict",
  },
  version: {
    value: "<version>",
    description: "version of the decision (default: the one a server uses)",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;
