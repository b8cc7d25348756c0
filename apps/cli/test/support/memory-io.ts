import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { CommandIo } from "../../src/command-line/command.js";

export interface MemoryIo extends CommandIo {
  /** Ends both outputs, and returns what was written. */
  read(): Promise<{ readonly stdout: string; readonly stderr: string }>;
}

/** A process that exists in memory only. */
export function memoryIo(own: Partial<CommandIo> = {}): MemoryIo {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const texts = Promise.all([text(stdout), text(stderr)]);
  stdin.end();
  return {
    stdin,
    stdout,
    stderr,
    cwd: "/",
    env: {},
    columns: undefined,
    showsProgress: false,
    hasColor: false,
    signal: new AbortController().signal,
    ...own,
    async read() {
      stdout.end();
      stderr.end();
      const [out, err] = await texts;
      return { stdout: out, stderr: err };
    },
  };
}
