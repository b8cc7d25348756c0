import { CommandError, type CommandOption } from "./command.js";

type More = Pick<CommandOption, "short">;

export function flag(description: string): CommandOption<boolean> {
  return { description, read: (given) => given.length > 0 };
}

/** @param value - what stands behind the option in help */
export function text(value: string, description: string, more?: More): CommandOption<string | undefined> {
  return { value, description, ...more, read: ([given]) => given };
}

/** An option whose value may be left out. */
export function optionalText(
  value: `[${string}]`,
  standard: string,
  description: string,
): CommandOption<string | undefined> {
  return { value, description, read: ([given]) => (given === "" ? standard : given) };
}

/** An option that can be given several times. */
export function texts(value: string, description: string): CommandOption<readonly string[]> {
  return { value, description, multiple: true, read: (given) => given };
}

export function required(value: string, description: string): CommandOption<string> {
  return { value, description, required: true, read: ([given = ""]) => given };
}

/** One of some words. */
export function choice<const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  description: string,
): CommandOption<Choice | undefined> {
  return { value, choices, description, read: ([given]) => choices.find((each) => each === given) };
}

function parsed<Value>(
  value: string,
  description: string,
  parse: (text: string, option: string) => Value,
): CommandOption<Value | undefined> {
  return { value, description, read: ([given], name) => (given === undefined ? given : parse(given, name)) };
}

/** A whole number, 0 or larger, within limits if there are any. */
export function wholeNumber(
  description: string,
  {
    least = 0,
    most = Number.MAX_SAFE_INTEGER,
    value = "<n>",
  }: { readonly least?: number; readonly most?: number; readonly value?: string } = {},
): CommandOption<number | undefined> {
  return parsed(value, description, (text, option) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    const from = least === 0 ? "" : ` from ${least}`;
    const to = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
    const limits = from === "" || to !== "" ? `${from}${to}` : `, ${least} or larger`;
    throw new CommandError(`--${option} must be a whole number${limits}, not "${text}"`);
  });
}

/** A port, 0 for a free one. */
export function port(description: string): CommandOption<number | undefined> {
  return parsed("<port>", description, (text, option) => {
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    throw new CommandError(`--${option} must be a port from 0 to 65535, not "${text}"`);
  });
}

/** A share from 0 to 1, written as a percentage such as `0.5%`: a bare `0.5` could mean half of all. */
export function share(description: string): CommandOption<number | undefined> {
  return parsed("<share>", description, (text, option) => {
    const [, digits] = /^(\d+(?:\.\d+)?|\.\d+)%$/.exec(text) ?? [];
    // Not divided: 0.7 / 100 is less than 7 / 1000.
    if (Number(digits) <= 100) return Number(`${digits}e-2`);
    throw new CommandError(`--${option} must be a percentage such as 0.5%, not "${text}"`);
  });
}

const instantPattern = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A day, in UTC, or an instant with its offset. */
export function instant(description: string): CommandOption<Date | undefined> {
  return parsed("<time>", description, toInstant);
}

function toInstant(text: string, option: string): Date {
  const [, day = ""] = instantPattern.exec(text) ?? [];
  const date = new Date(text);
  if (!isDay(day) || Number.isNaN(date.getTime())) {
    const forms = "a day such as 2026-03-01 or an instant such as 2026-03-01T08:00:00Z";
    throw new CommandError(`--${option} must be ${forms}, not "${text}"`);
  }
  return date;
}

/** Not core's `dayOf`: what prints help loads no package. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** How long ago, such as `90d`, or a day or an instant. */
export function since(description: string): CommandOption<Date | undefined> {
  return parsed("<time>", description, (text, option) => {
    const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
    if (count !== undefined) return new Date(Date.now() - Number(count) * (unitMs[unit] ?? 0));
    if (/^\d+[a-z]*$/i.test(text))
      throw new CommandError(`--${option} must be hours, days or weeks such as 90d, not "${text}"`);
    return toInstant(text, option);
  });
}

/** @throws CommandError for a text that names no database. The text can hold a password, so the message does not show it */
export function databaseUrl(text: string): URL {
  // A socket's URL has a user and no host, which `URL` does not read.
  const complete = text.replace(/^([a-z]+:\/\/)([^/?#]*@)?(?=[/?#]|$)/, "$1$2localhost");
  if (!URL.canParse(complete)) {
    throw new CommandError("the address of the database must look like postgres://user@host/database");
  }
  return new URL(complete);
}

/** The file of profiles, the same for every command. */
export const profilesOption = {
  profiles: text(
    "<file>",
    "JSON file of profiles by decision id, laid over the module's: ids it does not name keep theirs",
    { short: "p" },
  ),
};

/** How commands learn which version of a decision evaluates, and with which profile. */
export const decisionOptions = {
  ...profilesOption,
  "profile-name": text("<name>", "evaluate with this named profile: strict is the one under id#strict"),
  version: text("<version>", "version of the decision (default: the one a server uses)"),
};

/** For commands that write text for people or JSON for programs. */
export const formatOption = {
  format: choice("<format>", ["text", "json"], "form of the output (default: text)"),
  json: flag("short for --format json"),
};

export const emitOption = choice("<form>", ["compact", "envelope"], "form of the results (default: compact)");
