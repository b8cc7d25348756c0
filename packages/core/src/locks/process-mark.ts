/** A process, so that others can tell whether it has ended. */
export interface ProcessMark {
  readonly pid: number;
  /** Within which the id is of this process only: a machine since it was started, and a PID namespace. Absent where that is unknown. */
  readonly space?: string | undefined;
  /** When it started, in the system's ticks: ids are used again. */
  readonly started?: string | undefined;
}

/** The mark of this process. */
export function processMark(): ProcessMark {
  const { pid } = process;
  const host = process.getBuiltinModule("node:os").hostname();
  // Other systems have no PID namespaces.
  if (process.platform !== "linux") return { pid, space: `${process.platform} ${host}` };
  try {
    // A PID namespace may have the /proc of another one, where ids are of other processes.
    if (!new RegExp(`^NSpid:\\s+${pid}$`, "m").test(read("/proc/self/status"))) return { pid };
    const boot = read("/proc/sys/kernel/random/boot_id").trim();
    const { readlinkSync } = process.getBuiltinModule("node:fs");
    // Ticks count from the start of a time namespace.
    const namespaces = ["pid", "time"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    const started = startOf(pid)?.started;
    return started === undefined ? { pid } : { pid, space: [host, boot, ...namespaces].join(" "), started };
  } catch {
    return { pid };
  }
}

/** Whether a process has certainly ended. One that another container started, with the same host name and id, may be alive. */
export function hasEnded({ pid, space, started }: ProcessMark, own: ProcessMark = processMark()): boolean {
  if (space === undefined || space !== own.space) return false;
  if (!exists(pid)) return true;
  if (started === undefined) return false;
  const now = startOf(pid);
  // A system may hide processes of others; a zombie only waits to be asked how it ended.
  return now !== undefined && (now.started !== started || now.state === "Z" || now.state === "X");
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Others may not be signalled.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Fields 3 and 22 of `/proc/<pid>/stat`. The name in field 2 may have spaces and brackets. */
function startOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const text = read(`/proc/${pid}/stat`);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state, started] = [fields[0], fields[19]];
    return state === undefined || started === undefined ? undefined : { state, started };
  } catch {
    return undefined;
  }
}

function read(path: string): string {
  return process.getBuiltinModule("node:fs").readFileSync(path, "utf8");
}
