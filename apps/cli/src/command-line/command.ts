import type { Readable, Writable } from "node:stream";

/** Exit codes that mean the same for every command. */
export const exitCodes = {
  /** Success. */
  ok: 0,
  /** Wrong use, a module that does not load, records that cannot be read. */
  broken: 1,
  /** The command did its work, and its check failed. */
  failed: 2,
} as const;

/** One option of a command, such as `--format <name>`. Parsing, help and completion read this. */
export interface CommandOption<Value = unknown> {
  /** What stands behind the option in help, such as `<file>`, or `[file]` if it may be left out. Absent for a flag. */
  readonly value?: string;
  readonly short?: string;
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  /** One line, in lower case, without a full stop. */
  readonly description: string;
  /**
   * Reads what was given: nothing if the option was left out, and an empty text for a flag or a value that was left out.
   *
   * @throws CommandError for a value that is not allowed
   */
  read(given: readonly string[], name: string): Value;
}

export type Options = Readonly<Record<string, CommandOption>>;

export type Given<Own extends Options> = {
  readonly [Name in keyof Own]: Own[Name] extends CommandOption<infer Value> ? Value : never;
};

/** What a command was called with. */
export interface CommandCall<Own extends Options = Options> {
  readonly positionals: readonly string[];
  readonly options: Given<Own>;
}

/** The process, as a command sees it. */
export interface CommandIo {
  readonly stdin: Readable;
  /** For data. */
  readonly stdout: Writable;
  /** For progress, notes and errors. */
  readonly stderr: Writable;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Columns of the terminal behind `stdout`; `undefined` if there is none, or it has no size. */
  readonly columns: number | undefined;
  /** Whether `stderr` is a terminal: progress is shown only there. */
  readonly showsProgress: boolean;
  /** Columns of the terminal behind `stderr`, as wide as it is at the moment. @default 80 */
  readonly progressColumns?: number | undefined;
  /** Whether `stdout` shows colours. `NO_COLOR` and `FORCE_COLOR` count. */
  readonly hasColor: boolean;
  /** Aborted when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** One command. Its file imports at the top only what its help needs, so that `decern --help` stays quick. */
export interface Command<Own extends Options = Options> {
  /** As it is typed: `replay`, or `log find`. */
  readonly name: string;
  /** One line for the list of commands: a verb, and no full stop. */
  readonly summary: string;
  /** Behind the name: `<module> [input]`, `<records…>` for one or more, or the words to choose from, such as `bash|zsh`. */
  readonly positionals: string;
  readonly options: Own;
  readonly examples: readonly (readonly [command: string, what: string])[];
  readonly exits: Readonly<Record<number, string>>;
  /** @throws CommandError for mistakes that the user can fix */
  run(call: CommandCall<Own>, io: CommandIo): Promise<number>;
}

/** Infers what `run` gets from the options. A line is parsed by the same options, so a call has what `run` takes. */
export function defineCommand<const Own extends Options>(command: Command<Own>): Command {
  return command;
}

/** Wrong use, or input that cannot be read: one sentence on standard error and exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The reason of {@link CommandIo.signal}: the process was asked to stop. */
export class StopRequest extends Error {
  override readonly name = "StopRequest";
  /** As a shell reports a process that a signal ended. */
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`stopped by ${signal}`);
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}
