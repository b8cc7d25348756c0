import { type CommandCall, CommandError, type CommandOption } from "./command.js";

/** The file of profiles, the same for every command. */
export const profilesOption = {
  profiles: {
    value: "<file>",
    short: "p",
    description:
      "JSON file of profiles by decision id, laid over the module's: ids it does not name keep theirs",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** How commands learn which version of a decision evaluates, and with which profile. */
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

/** For commands that write text for people or JSON for programs. */
export const formatOption = {
  format: { value: "<format>", choices: ["text", "json"], description: "form of the output (default: text)" },
} as const satisfies Readonly<Record<string, CommandOption>>;

export function isJson(call: CommandCall): boolean {
  return call.value("format") === "json";
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const emits = ["compact", "envelope"] as const;

export const emitOption: CommandOption = {
  value: "<form>",
  choices: emits,
  description: "form of the results (default: compact)",
};

/** @param text - one of the choices, if any */
export function emitOf(text: string | undefined): (typeof emits)[number] | undefined {
  return emits.find((form) => form === text);
}

/** A whole number, 0 or larger, within limits if there are any. @throws CommandError for anything else */
export function wholeNumber(
  call: CommandCall,
  option: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): number | undefined {
  const text = call.value(option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  const from = least === 0 ? "" : ` from ${least}`;
  const to = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
  const limits = from === "" || to !== "" ? `${from}${to}` : `, ${least} or larger`;
  throw new CommandError(`--${option} must be a whole number${limits}, not "${text}"`);
}

/** A port, 0 for a free one. @throws CommandError for anything else */
export function portNumber(call: CommandCall, option: string): number | undefined {
  const port = wholeNumber(call, option);
  if (port !== undefined && port > 65_535) {
    throw new CommandError(`--${option} must be a port from 0 to 65535, not "${port}"`);
  }
  return port;
}

/**
 * A share: a percentage such as `0.5%`, or a fraction such as `0.005`. A bare `1` could mean either, so it is refused.
 *
 * @returns from 0 to 1
 * @throws CommandError for anything else
 */
export function share(call: CommandCall, option: string): number | undefined {
  const text = call.value(option);
  if (text === undefined) return undefined;
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (percent === "%" && number <= 100) return number / 100;
  if (percent === "" && number < 1) return number;
  throw new CommandError(`--${option} must be a percentage such as 0.5%, not "${text}"`);
}

const instantPattern = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A day, in UTC, or an instant with its offset. @throws CommandError for anything else */
export function instant(call: CommandCall, option: string): Date | undefined {
  const text = call.value(option);
  if (text === undefined) return undefined;
  const [, day = ""] = instantPattern.exec(text) ?? [];
  const date = new Date(text);
  if (!isDay(day) || Number.isNaN(date.getTime())) {
    const forms = "a day such as 2026-03-01 or an instant such as 2026-03-01T08:00:00Z";
    throw new CommandError(`--${option} must be ${forms}, not "${text}"`);
  }
  return date;
}

/** JavaScript takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** @throws CommandError for a text that names no database; it may hold a password, so the message does not show it */
export function databaseUrl(text: string): URL {
  // A socket's URL has a user and no host, which `URL` does not read.
  const complete = text.replace(/^([a-z]+:\/\/)([^/?#]*@)?(?=[/?#]|$)/, "$1$2localhost");
  if (!URL.canParse(complete)) {
    throw new CommandError("the address of the database must look like postgres://user@host/database");
  }
  return new URL(complete);
}
