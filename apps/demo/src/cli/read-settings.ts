import { parseArgs } from "node:util";
import type { Settings } from "./settings.js";
import { UsageError } from "./usage-error.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the command line and the environment; a flag goes before its variable.
 *
 * @returns the settings, or `help` when that is what was asked for
 * @throws UsageError for an unknown flag, and for a value that makes no sense
 */
export function readSettings(args: readonly string[], environment: Environment): Settings | "help" {
  const flags = parse(args);
  if (flags.help === true) return "help";
  // An empty variable is one that was not set: that is how a shell or a manifest leaves one out.
  const variable = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const on = (name: string, flag: boolean | undefined): boolean => {
    return flag ?? toSwitch(name, variable(name)) ?? true;
  };
  return {
    port: toNumber("--port", flags.port, 0, 65_535) ?? toNumber("PORT", variable("PORT"), 0, 65_535) ?? 3000,
    host: toText("--host", flags.host) ?? variable("HOST") ?? "localhost",
    profilesFile: toText("--profiles", flags.profiles) ?? variable("DECERN_PROFILES"),
    metrics: on("DECERN_METRICS", flags.metrics),
    openapi: on("DECERN_OPENAPI", flags.openapi),
    cors: on("DECERN_CORS", flags.cors),
    profileOverride: on("DECERN_PROFILE_OVERRIDE", flags["profile-override"]),
    maxDelayMs:
      toNumber("--max-delay", flags["max-delay"], 1, 60_000) ??
      toNumber("DECERN_MAX_DELAY", variable("DECERN_MAX_DELAY"), 1, 60_000),
    apiKeys: (variable("DECERN_API_KEYS") ?? "")
      .split(",")
      .map((key) => key.trim())
      .filter((key) => key !== ""),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        port: { type: "string" },
        host: { type: "string" },
        profiles: { type: "string" },
        metrics: { type: "boolean" },
        openapi: { type: "boolean" },
        cors: { type: "boolean" },
        "max-delay": { type: "string" },
        "profile-override": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : "Wrong arguments", { cause: error });
  }
}

function toNumber(
  name: string,
  text: string | undefined,
  lowest: number,
  highest: number,
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number < lowest || number > highest) {
    throw new UsageError(`${name} has to be a number from ${lowest} to ${highest}, and is "${text}"`);
  }
  return number;
}

function toText(name: string, text: string | undefined): string | undefined {
  if (text?.trim() === "") throw new UsageError(`${name} is empty`);
  return text;
}

function toSwitch(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (/^(on|true|1|yes)$/i.test(text)) return true;
  if (/^(off|false|0|no)$/i.test(text)) return false;
  throw new UsageError(`${name} has to be on or off, and is "${text}"`);
}
