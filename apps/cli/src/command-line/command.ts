import type { Readable, Writable } from "node:stream";

/** Exit codes that mean the same for every command. */
export const exitCodes = {
  /** Everything as it should be. */
  ok: 0,
  /** Wrong use, a module that does not load, records that cannot be read. */
  broken: 1,
  /** The command did its work, and what it checked does not hold. */
  failed: 2,
} as const;

/** One option of a command, such as `--format <name>`. */
export interface CommandOption {
  /** What stands behind the option in help, such as `<file>`. Absent for a flag. */
  readonly value?: string;
  readonly short?: string;
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  /** The values that are allowed, for messages and for completion. */
  readonly choices?: readonly string[];
  /** One line, in lower case, without a full stop. */
  readonly description: string;
}

/** What a command was called with. */
export interface CommandCall {
  readonly positionals: readonly string[];
  /** By name; the last one where it was given several times. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
  flag(option: string): boolean;
}

/** The process, as a command sees it. */
export interface CommandIo {
  readonly stdin: Readable;
  /** For data. */
  readonly stdout: Writable;
  /** For talk: progress, notes, errors. */
  readonly stderr: Writable;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Columns of the terminal behind `stdout`; `undefined` where there is none, and where it has no size. */
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
export interface Command {
  /** As it is typed: `replay`, or `log find`. */
  readonly name: string;
  /** One line for the list of commands: a verb, and no full stop. */
  readonly summary: string;
  /** Behind the name, such as `<module> <id>`. */
  readonly positionals: string;
  /** How many there must be. */
  readonly counts: readonly [least: number, most: number];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** What to type, and what it does. */
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** Exit codes that it can end with. */
  readonly exits: Readonly<Record<number, string>>;
  /** @throws CommandError for mistakes that the user can fix */
  run(call: CommandCall, io: CommandIo): Promise<number>;
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
