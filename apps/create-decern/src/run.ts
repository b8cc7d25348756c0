import { relative, resolve } from "node:path";
import { createInterface, type Interface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { type Choices, defaults, hosts, isNameOf, type Part, partsOf, schemas } from "./choices.js";
import { folderProblem, projectFiles, writeProject } from "./project.js";

/** The process, as the command sees it. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly cwd: string;
  /** Whether somebody at a terminal can be asked. */
  readonly isInteractive: boolean;
}

/** Wrong use. */
class UsageError extends Error {}

/** Ctrl-C or Ctrl-D at a question. */
class Cancelled extends Error {}

const defaultFolder = "decisions";

const help = `Usage: npm create decern [folder] [-- options]

Creates a project with a decision, a test, a service and CI. Asks for what is not given.

  --host <name>         what serves the decisions: ${Object.keys(hosts).join(", ")}
  --schema <name>       library for schemas: ${Object.keys(schemas).join(", ")}
  --table, --no-table   with or without a decision table for analysts
  -y, --yes             asks nothing: ${defaultFolder}, ${defaults.host}, ${defaults.schema} and no table, unless given
  -h, --help            shows this

npm create decern loans -- --host express --schema zod --table
`;

/**
 * Runs a command line. It does not reject.
 *
 * @returns the exit code: 0, 1 for wrong use and what cannot be written, 130 if a question was cancelled
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    const given = readArgs(args);
    if (given === "help") {
      io.stdout.write(help);
      return 0;
    }
    const { folder, ...choices } = await complete(given, io);
    const path = resolve(io.cwd, folder);
    checkFolder(path);
    writeProject(path, projectFiles(path, choices));
    io.stdout.write(nextSteps(path, io.cwd, choices));
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof UsageError ? "\nTry --help." : "";
    io.stderr.write(`create-decern: ${message}${hint}\n`);
    return error instanceof Cancelled ? 130 : 1;
  }
}

type Answers = Choices & { readonly folder: string };

/** What the command line says, with nothing where it says nothing. */
interface Given {
  readonly folder: string | undefined;
  readonly host: Choices["host"] | undefined;
  readonly schema: Choices["schema"] | undefined;
  readonly table: boolean | undefined;
  readonly yes: boolean;
}

function readArgs(args: readonly string[]): Given | "help" {
  const { values, positionals } = parsed(args);
  if (values.help === true) return "help";
  const [folder, second] = positionals;
  if (second !== undefined) {
    throw new UsageError(
      `name one folder, not "${positionals.join(" ")}"; with npm, options stand behind --, as in "npm create decern loans -- --yes"`,
    );
  }
  return {
    folder,
    host: choiceOf("host", hosts, values.host),
    schema: choiceOf("schema", schemas, values.schema),
    table: values.table,
    yes: values.yes === true,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        host: { type: "string" },
        schema: { type: "string" },
        table: { type: "boolean" },
        yes: { type: "boolean", short: "y" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function choiceOf<Names extends string>(
  option: string,
  parts: Readonly<Record<Names, Part>>,
  name: string | undefined,
): Names | undefined {
  if (name === undefined || isNameOf(parts, name)) return name;
  const names = Object.keys(parts)
    .join(", ")
    .replace(/, ([^,]+)$/, " or $1");
  throw new UsageError(`--${option} must be ${names}, not "${name}"`);
}

/** Asks for what is missing. */
async function complete({ yes, ...given }: Given, io: Io): Promise<Answers> {
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (!yes && missing.length > 0 && !io.isInteractive) {
    const names = missing.map((name) => (name === "folder" ? "a folder" : `--${name}`));
    throw new UsageError(`give ${names.join(", ")}, or --yes for the defaults: this is not a terminal`);
  }
  if (yes || missing.length === 0) {
    const { folder = defaultFolder, host = defaults.host, schema = defaults.schema } = given;
    return { folder, host, schema, table: given.table ?? defaults.table };
  }
  const lines = createInterface({ input: io.stdin, output: io.stdout });
  try {
    const ask = asker(lines);
    const folder = given.folder ?? ((await ask(`Folder (${defaultFolder}): `)).trim() || defaultFolder);
    // Before the other questions, whose replies would be lost.
    checkFolder(resolve(io.cwd, folder));
    return {
      folder,
      host: given.host ?? (await askChoice("What serves the decisions?", hosts, defaults.host, ask)),
      schema: given.schema ?? (await askChoice("Which library for schemas?", schemas, defaults.schema, ask)),
      table: given.table ?? /^y/i.test((await ask("A decision table for analysts? (y/N): ")).trim()),
    };
  } finally {
    lines.close();
  }
}

type Ask = (question: string) => Promise<string>;

/** Questions that reject once the reader cancels one. Readline's own would wait forever. */
function asker(lines: Interface): Ask {
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  lines.once("SIGINT", cancel).once("close", cancel);
  return (question) =>
    lines.question(question, { signal: stop.signal }).catch((cause: unknown) => {
      throw new Cancelled("cancelled; nothing was written", { cause });
    });
}

/** Asks until the reader gives a number or a name from the list, or nothing for the default. */
async function askChoice<Names extends string>(
  question: string,
  parts: Readonly<Record<Names, Part>>,
  otherwise: Names,
  ask: Ask,
): Promise<Names> {
  const names = Object.keys(parts).filter((name) => isNameOf(parts, name));
  const list = names.map((name, index) => `  ${index + 1} ${name}: ${parts[name].label}\n`).join("");
  for (;;) {
    const answer = (await ask(`${question}\n${list}(${otherwise}): `)).trim();
    if (answer === "") return otherwise;
    const found = names.find((name, index) => answer === name || answer === String(index + 1));
    if (found !== undefined) return found;
  }
}

function checkFolder(path: string): void {
  const problem = folderProblem(path);
  if (problem !== undefined) throw new UsageError(`${problem}; name a new folder or an empty one`);
}

function nextSteps(path: string, cwd: string, choices: Choices): string {
  const inside = relative(cwd, path);
  const folder = inside.startsWith("..") ? path : inside;
  const commands = [
    ...(folder === "" ? [] : [`cd ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)}`]),
    "npm install",
    "npm run lock",
    "npm run dev",
  ];
  return [
    `Created a project with ${partsOf(choices)
      .map(({ label }) => label)
      .join("; ")}.`,
    "",
    ...commands.map((command) => `  ${command}`),
    "",
    "Its README says what else it can do.",
    "",
  ].join("\n");
}
