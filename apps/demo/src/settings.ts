import { parseArgs } from "node:util";

/** A mistake in how the command was called, described for its user. Ends the process with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The settings of the demo service, from its flags and its environment. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Path of a JSON file of profiles. @default the built-in profiles */
  readonly profilesFile: string | undefined;
  /** How long to wait before the profiles file is read again, in milliseconds. */
  readonly reloadMs: number;
  /** How many of the callers get the new version of `loan-approval`, in per cent. */
  readonly rollOutPercent: number;
  /** Folder for the records of all decisions. @default no records are kept */
  readonly recordsFolder: string | undefined;
  /** Key of the pseudonyms by which records are found and erased. @default records have no pseudonym */
  readonly subjectKey: string | undefined;
  readonly metrics: boolean;
  readonly openapi: boolean;
  readonly cors: boolean;
  readonly profileOverride: boolean;
  /** Maximum delay of the event loop, in milliseconds. @default no limit */
  readonly maxDelayMs: number | undefined;
  /** How old a connection may become, in milliseconds. */
  readonly maxConnectionAgeMs: number;
  /** The valid API keys: a list, or the keys of each caller. @default no authentication is required */
  readonly apiKeys: readonly string[] | Readonly<Record<string, readonly string[]>> | undefined;
}

/** The text that `--help` prints. */
export const help = `Decern demo: six decisions behind HTTP.

Usage: node apps/demo/dist/main.js [options]

Options                       [environment variable; default]
  --port NUMBER               Port to listen on; 0 chooses a free one. [PORT; 3000]
  --host NAME                 Host name or address; 0.0.0.0 for every interface. [HOST; localhost]
  --profiles FILE             JSON object of profiles by decision id. A decision missing from the file
                              keeps its built-in profile. The file is read again and again: edit it, and
                              replies change without a restart. A file with a mistake changes nothing.
                              [DECERN_PROFILES; built-in]
  --reload MILLISECONDS       How long to wait before the profiles file is read again.
                              [DECERN_RELOAD; 5000]
  --roll-out PERCENT          How many of the callers in DECERN_CALLERS get version 2.0.0 of loan-approval.
                              All others get 1.2.0, while 2.0.0 is evaluated as a shadow. At 100,
                              2.0.0 is the default and 1.2.0 is deprecated. [DECERN_ROLL_OUT; 10]
  --records FOLDER            Keep a record of every decision in files in this folder. If DECERN_CALLERS has
                              an auditor, that caller finds them at /records. [DECERN_RECORDS; off]
  --[no-]profile-override     Let callers send their own profile. [DECERN_PROFILE_OVERRIDE; on]
  --[no-]metrics              Serve Prometheus metrics at /metrics. [DECERN_METRICS; on]
  --[no-]openapi              Serve /openapi.json, and Swagger UI at /swagger. [DECERN_OPENAPI; on]
  --[no-]cors                 Allow requests from pages of other origins. [DECERN_CORS; on]
  --max-delay MILLISECONDS    Reply 503 while the event loop is delayed by more than this.
                              [DECERN_MAX_DELAY; no limit]
  --max-connection-age MILLISECONDS
                              End connections of clients after about this long, so that they spread over
                              new processes. No request is cut. [DECERN_MAX_CONNECTION_AGE; 300000]
  -h, --help                  Print this help.

A flag takes precedence over its variable. The values of a switch are on or off, true or false, yes or no,
1 or 0.

Environment only, because other users of the machine can read a process's arguments
  DECERN_API_KEYS             Keys, separated by commas. If set, callers must send one of them as
                              x-api-key.
  DECERN_CALLERS              The same with a name for each caller, such as shop=key1,branch=key2. A name
                              may occur several times. The caller credit-union has a stricter policy for
                              loan-approval: the profile loan-approval#strict.
  DECERN_SUBJECT_KEY          Key of the pseudonyms by which the records of a loan's customer are found and
                              erased: at least 16 bytes. Without it, records have none.

Signals
  SIGTERM, SIGINT             Refuse new requests, finish running ones, and exit with code 0. A second
                              signal does not wait.

Exit codes
  0  stopped on request       1  could not start or stop       2  an invalid flag, value or file

Decisions: loan-approval, transaction-risk, news2, document-access, instalment-plan, shipping-fee.
Try http://localhost:3000/docs.
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable of each flag, and for a number its limits. */
const numbers = {
  port: ["PORT", 0, 65_535],
  reload: ["DECERN_RELOAD", 100, 99_999],
  "roll-out": ["DECERN_ROLL_OUT", 0, 100],
  "max-delay": ["DECERN_MAX_DELAY", 1, 60_000],
  "max-connection-age": ["DECERN_MAX_CONNECTION_AGE", 100, 86_400_000],
} as const;

const texts = { host: "HOST", profiles: "DECERN_PROFILES", records: "DECERN_RECORDS" } as const;

const switches = {
  metrics: "DECERN_METRICS",
  openapi: "DECERN_OPENAPI",
  cors: "DECERN_CORS",
  "profile-override": "DECERN_PROFILE_OVERRIDE",
} as const;

/**
 * Reads the command line and the environment. A flag takes precedence over its variable.
 *
 * @returns the settings, or `help` if the user asked for help
 * @throws UsageError for an unknown flag or an invalid value
 */
export function readSettings(args: readonly string[], environment: Environment): Settings | "help" {
  const flags = parse(args);
  if (flags["help"] === true) return "help";
  // An empty variable counts as not set, because shells and manifests often leave a variable out that way.
  const variable = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const number = (flag: keyof typeof numbers): number | undefined => {
    const [name, lowest, highest] = numbers[flag];
    return (
      toNumber(`--${flag}`, flags[flag], lowest, highest) ?? toNumber(name, variable(name), lowest, highest)
    );
  };
  const text = (flag: keyof typeof texts) => toText(`--${flag}`, flags[flag]) ?? variable(texts[flag]);
  const on = (flag: keyof typeof switches): boolean => {
    const given = flags[flag];
    return typeof given === "boolean" ? given : (toSwitch(switches[flag], variable(switches[flag])) ?? true);
  };
  return {
    port: number("port") ?? 3000,
    host: text("host") ?? "localhost",
    profilesFile: text("profiles"),
    reloadMs: number("reload") ?? 5000,
    rollOutPercent: number("roll-out") ?? 10,
    recordsFolder: text("records"),
    subjectKey: variable("DECERN_SUBJECT_KEY"),
    metrics: on("metrics"),
    openapi: on("openapi"),
    cors: on("cors"),
    profileOverride: on("profile-override"),
    maxDelayMs: number("max-delay"),
    maxConnectionAgeMs: number("max-connection-age") ?? 300_000,
    apiKeys: toKeys(list(variable("DECERN_API_KEYS")), list(variable("DECERN_CALLERS"))),
  };
}

function parse(args: readonly string[]): Readonly<Record<string, unknown>> {
  const withValue = [...Object.keys(numbers), ...Object.keys(texts)];
  const options = Object.fromEntries([
    ...withValue.map((flag) => [flag, { type: "string" }] as const),
    ...Object.keys(switches).map((flag) => [flag, { type: "boolean" }] as const),
    ["help", { type: "boolean", short: "h" }] as const,
  ]);
  try {
    return parseArgs({ args: [...args], allowNegative: true, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : "Wrong arguments", { cause: error });
  }
}

function toNumber(name: string, text: unknown, lowest: number, highest: number): number | undefined {
  if (typeof text !== "string") return undefined;
  const number = Number(text);
  if (!/^\d{1,8}$/.test(text) || number < lowest || number > highest) {
    throw new UsageError(`${name} must be a number from ${lowest} to ${highest}, not "${text}"`);
  }
  return number;
}

function toText(name: string, text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  if (text.trim() === "") throw new UsageError(`${name} must not be empty`);
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
