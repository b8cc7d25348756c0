import { files, hasCode } from "./disk.js";

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
    // A PID namespace may have the /proc of another namespace, where ids are of other processes.
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

/** Whether a process has certainly ended. A process of a different container with the same host name and id may be alive. */
export function hasEnded({ pid, space, started }: ProcessMark, own: ProcessMark = processMark()): boolean {
  if (space === undefined || space !== own.space) return false;
  if (!exists(pid)) return true;
  if (started === undefined) return false;
  const now = startOf(pid);
  // A system may hide other users' processes; a zombie has ended.
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

const touchMs = 10_000;

/** A lock that was not renewed for this long is free: its process has ended, wherever it ran, or hangs. */
const staleMs = 60_000;

/**
 * A lock that is a file, between processes that may run in several containers or on several machines. It is renewed for as long as
 * it is held. The lock of a process that has certainly ended is free; where that cannot be known, it is free a minute after the last
 * renewal.
 */
export class FileLock {
  readonly #path: string;
  readonly #content: string;
  readonly #timer: NodeJS.Timeout;
  #touchedMs = Date.now();
  #isLost = false;

  private constructor(path: string, content: string) {
    this.#path = path;
    this.#content = content;
    this.#timer = setInterval(() => void this.renew().catch(() => {}), touchMs);
    this.#timer.unref();
  }

  /**
   * @returns `undefined` while a process holds it or takes it
   * @throws what the file system throws
   */
  static async take(path: string): Promise<FileLock | undefined> {
    if (await FileLock.isHeld(path)) return undefined;
    const { open, readFile, rename, rm } = files();
    // Every process creates this file first, so only one of them replaces a lock that was left behind.
    const next = `${path}.new`;
    if ((await stateOf(next)) === "left behind") await rm(next, { force: true });
    const content = JSON.stringify({ ...processMark(), key: crypto.randomUUID() });
    try {
      const handle = await open(next, "wx");
      await handle.writeFile(content).finally(() => handle.close());
      if (await FileLock.isHeld(path)) {
        await rm(next, { force: true });
        return undefined;
      }
      await rename(next, path);
    } catch (error) {
      if (hasCode(error, "EEXIST") || hasCode(error, "ENOENT")) return undefined;
      await rm(next, { force: true }).catch(() => {});
      throw error;
    }
    // Another process may have found a file left behind at the same time, and deleted this one instead.
    if ((await readFile(path, "utf8").catch(() => "")) !== content) return undefined;
    return new FileLock(path, content);
  }

  /** Whether any process holds it, including this one. */
  static async isHeld(path: string): Promise<boolean> {
    return (await stateOf(path)) === "held";
  }

  /**
   * Whether it is still held. A process that was suspended for a minute may have lost it, and so may any process when the clock is
   * set.
   */
  async check(): Promise<boolean> {
    const isFresh = !this.#isLost && Math.abs(Date.now() - this.#touchedMs) < staleMs / 2;
    return isFresh || (await this.renew());
  }

  /** @returns whether it is still held */
  async renew(): Promise<boolean> {
    const { readFile, utimes } = files();
    this.#isLost = (await readFile(this.#path, "utf8").catch(() => "")) !== this.#content;
    if (this.#isLost) return false;
    const now = new Date();
    await utimes(this.#path, now, now);
    this.#touchedMs = now.getTime();
    return true;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { readFile, rm } = files();
    const isOurs = (await readFile(this.#path, "utf8").catch(() => "")) === this.#content;
    if (isOurs) await rm(this.#path, { force: true });
  }
}

async function stateOf(path: string): Promise<"free" | "held" | "left behind"> {
  const { readFile, stat } = files();
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleMs) return "left behind";
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "free";
    throw error;
  }
  const mark = markIn(await readFile(path, "utf8").catch(() => ""));
  // A mark that cannot be read, or is being written, counts until it is old.
  return mark !== undefined && hasEnded(mark) ? "left behind" : "held";
}

function markIn(text: string): ProcessMark | undefined {
  try {
    const { pid, space, started }: Record<string, unknown> = Object(JSON.parse(text));
    const isMark = Number.isInteger(pid) && typeof space === "string";
    return isMark
      ? { pid: Number(pid), space, started: typeof started === "string" ? started : undefined }
      : undefined;
  } catch {
    return undefined;
  }
}
