import { parseArgs } from "node:util";
import type { Settings } from "./settings.js";
import { UsageError } from "./usage-error.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the command line and the environment. A flag takes precedence over its variable.
 *
 * @returns the settings, or `help` if the user asked for help
 * @throws UsageError for an unknown flag or an invalid value
 */
export function readSettings(args: readonly string[], environment: Environment): Settings | "help" {
  const flags = parse(args);
  if (flags.help === true) return "help";
  // An empty variable counts as not set, because shells and manifests often leave a variable out that way.
  const variable = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const on = (name: string, flag: boolean | undefined): boolean => {
    return flag ?? toSwitch(name, variable(name)) ?? true;
  };
  return {
    port: toNumber("--port", flags.port, 0, 65_535) ?? toNumber("PORT", variable("PORT"), 0, 65_535) ?? 3000,
    host: toText("--host", flags.host) ?? variable("HOST") ?? "localhost",
    profilesFile: toText("--profiles", flags.profiles) ?? variable("DECERN_PROFILES"),
    reloadMs:
      toNumber("--reload", flags.reload, 100, 99_999) ??
      toNumber("DECERN_RELOAD", variable("DECERN_RELOAD"), 100, 99_999) ??
      5000,
    rollOutPercent:
      toNumber("--roll-out", flags["roll-out"], 0, 100) ??
      toNumber("DECERN_ROLL_OUT", variable("DECERN_ROLL_OUT"), 0, 100) ??
      10,
    recordsFolder: toText("--records", flags.records) ?? variable("DECERN_RECORDS"),
    subjectKey: variable("DECERN_SUBJECT_KEY"),
    metrics: on("DECERN_METRICS", flags.metrics),
    openapi: on("DECERN_OPENAPI", flags.openapi),
    cors: on("DECERN_CORS", flags.cors),
    profileOverride: on("DECERN_PROFILE_OVERRIDE", flags["profile-override"]),
    maxDelayMs:
      toNumber("--max-delay", flags["max-delay"], 1, 60_000) ??
      toNumber("DECERN_MAX_DELAY", variable("DECERN_MAX_DELAY"), 1, 60_000),
    maxConnectionAgeMs:
      toNumber("--max-connection-age", flags["max-connection-age"], 100, 86_400_000) ??
      toNumber("DECERN_MAX_CONNECTION_AGE", variable("DECERN_MAX_CONNECTION_AGE"), 100, 86_400_000) ??
      300_000,
    apiKeys: toKeys(list(variable("DECERN_API_KEYS")), list(variable("DECERN_CALLERS"))),
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
        records: { type: "string" },
        metrics: { type: "boolean" },
        openapi: { type: "boolean" },
        cors: { type: "boolean" },
        reload: { type: "string" },
        "roll-out": { type: "string" },
        "max-delay": { type: "string" },
        "max-connection-age": { type: "string" },
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
  if (!/^\d{1,8}$/.test(text) || number < lowest || number > highest) {
    throw new UsageError(`${name} must be a number from ${lowest} to ${highest}, not "${text}"`);
  }
  return number;
}

function toText(name: string, text: string | undefined): string | undefined {
  if (text?.trim() === "") throw new UsageError(`${name} must not be empty`);
  return text;
}

function toSwitch(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (/^(on|true|1|yes)$/i.test(text)) return true;
  if (/^(off|false|0|no)$/i.test(text)) return false;
  throw new UsageError(`${name} must be on or off, not "${text}"`);
}

function list(text: string | undefined): readonly string[] {
  const entries = text?.split(",") ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** The keys of all callers. A message never repeats a key. */
function toKeys(keys: readonly string[], callers: readonly string[]): Settings["apiKeys"] {
  if (callers.length === 0) return keys.length === 0 ? undefined : keys;
  if (keys.length > 0) {
    throw new UsageError("DECERN_API_KEYS and DECERN_CALLERS contradict each other: set one of them");
  }
  const byCaller = new Map<string, readonly string[]>();
  for (const [index, entry] of callers.entries()) {
    // A key may end in "=".
    const [, caller, key] = /^([^=]*[^=\s])\s*=\s*(.+)$/.exec(entry) ?? [];
    if (caller === undefined || key === undefined) {
      throw new UsageError(`DECERN_CALLERS must be a list like name=key,name=key; entry ${index + 1} is not`);
    }
    byCaller.set(caller, [...(byCaller.get(caller) ?? []), key]);
  }
  return Object.fromEntries(byCaller);
}
