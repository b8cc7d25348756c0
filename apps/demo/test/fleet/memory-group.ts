import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** A control group of the kernel, which ends a process that takes more memory than its limit. */
export interface MemoryGroup {
  readonly version: "v1" | "v2";
  /** The limit that the kernel has set, in bytes: a whole number of pages. */
  readonly limit: number;
  /** The command that runs a program in the group. It has the process id of the program. */
  command(file: string, args: readonly string[]): readonly [string, readonly string[]];
  /** The most memory that the group has had so far, caches of files included, in bytes. */
  peak(): number;
  /** How many processes the kernel has killed because of the limit. */
  killed(): number;
  /** Removes it, once its processes have ended. */
  remove(): Promise<void>;
}

/** The files of a control group, by the version of the interface. */
const interfaces = [
  {
    version: "v1",
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    // Memory and swap together. Not every kernel counts it.
    swap: (limit: number) => ["memory.memsw.limit_in_bytes", limit] as const,
    peak: "memory.max_usage_in_bytes",
    events: "memory.oom_control",
  },
  {
    version: "v2",
    root: "/sys/fs/cgroup",
    limit: "memory.max",
    swap: () => ["memory.swap.max", 0] as const,
    peak: "memory.peak",
    events: "memory.events",
  },
] as const;

/**
 * Makes a control group with a limit.
 *
 * @returns `undefined` on a machine that has none, or allows none
 */
export function createMemoryGroup(name: string, limit: number): MemoryGroup | undefined {
  for (const files of interfaces) {
    const folder = join(files.root, `decern-${name}-${process.pid}`);
    const read = (file: string): string => readFileSync(join(folder, file), "utf8");
    try {
      // It has files of its own at once; where it has none, nothing can be limited.
      mkdirSync(folder);
    } catch {
      continue;
    }
    try {
      writeFileSync(join(folder, files.limit), String(limit), { flag: "r+" });
      read(files.peak);
      const set = Number(read(files.limit));
      forbidSwap(folder, files.swap(set));
      return {
        version: files.version,
        limit: set,
        // The shell enters the group and becomes the program, so that everything of the program is counted.
        command: (file, args) => [
          "/bin/sh",
          ["-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', folder, file, ...args],
        ],
        peak: () => Number(read(files.peak)),
        killed: () => Number(/^oom_kill (\d+)$/m.exec(read(files.events))?.[1]),
        remove: () => removed(folder),
      };
    } catch {
      rmdirSync(folder);
    }
  }
  return undefined;
}

async function removed(folder: string): Promise<void> {
  for (;;) {
    try {
      return rmdirSync(folder);
    } catch (error) {
      // A process that was killed a moment ago is still in it.
      if (!(error instanceof Error && "code" in error && error.code === "EBUSY")) throw error;
      await setImmediate();
    }
  }
}

function forbidSwap(folder: string, [file, value]: readonly [string, number]): void {
  try {
    writeFileSync(join(folder, file), String(value), { flag: "r+" });
  } catch {
    // A kernel without this file does not swap what is in a group, or the machine has no swap.
  }
}
