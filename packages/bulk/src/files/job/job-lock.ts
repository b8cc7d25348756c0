import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { DecernError } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isForbidden, isMissing, isTaken } from "../file-errors.js";

const touchMs = 10_000;
const staleMs = 60_000;
/** The locks of this thread. */
const held = new Set<string>();

/** The right to write a folder. It is renewed for as long as it is held; a process that has ended does not keep it. */
export class JobLock {
  readonly #path: string;
  readonly #content: string;
  readonly #timer: NodeJS.Timeout;
  #touchedMs = Date.now();

  private constructor(path: string, content: string) {
    this.#path = path;
    this.#content = content;
    held.add(path);
    this.#timer = setInterval(() => void this.#renew().catch(() => {}), touchMs);
    this.#timer.unref();
  }

  /** @throws DecernError `JOB_RUNNING` while another job writes the folder */
  static async take(folder: string): Promise<JobLock> {
    const path = join(folder, "job.lock");
    if (held.has(path) || (await isHeld(path))) throw running(folder);
    // All that want the folder create this file first, so only one of them replaces a lock that was left behind.
    const next = `${path}.new`;
    if (await isLeftBehind(next)) await rm(next, { force: true });
    const content = JSON.stringify({ pid: process.pid, host: hostname(), key: randomUUID() });
    try {
      const handle = await open(next, "wx");
      await handle.writeFile(content).finally(() => handle.close());
      if (held.has(path) || (await isHeld(path))) {
        await rm(next, { force: true });
        throw running(folder);
      }
      await rename(next, path);
    } catch (error) {
      if (isTaken(error) || isMissing(error)) throw running(folder);
      throw error;
    }
    return new JobLock(path, content);
  }

  /** Makes sure that the folder is still this one's: a process that was suspended for a minute may have lost it. */
  async check(): Promise<void> {
    if (Date.now() - this.#touchedMs > staleMs / 2) await this.#renew();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      const isOurs = (await readFile(this.#path, "utf8").catch(() => "")) === this.#content;
      if (isOurs) await rm(this.#path, { force: true });
    } finally {
      held.delete(this.#path);
    }
  }

  async #renew(): Promise<void> {
    if ((await readFile(this.#path, "utf8").catch(() => "")) !== this.#content) {
      throw new DecernError("JOB_RUNNING", { detail: `another process has taken ${this.#path}` });
    }
    const now = new Date();
    await utimes(this.#path, now, now);
    this.#touchedMs = now.getTime();
  }
}

function running(folder: string): DecernError {
  return new DecernError("JOB_RUNNING", { detail: folder });
}

async function isHeld(path: string): Promise<boolean> {
  const touched = await touchedMs(path);
  if (touched === undefined || Date.now() - touched > staleMs) return false;
  return await isOwnerAlive(path, touched);
}

/** A process that was killed between creating this file and renaming it leaves it. */
async function isLeftBehind(path: string): Promise<boolean> {
  const touched = await touchedMs(path);
  if (touched === undefined) return false;
  return Date.now() - touched > staleMs || !(await isOwnerAlive(path, touched));
}

async function isOwnerAlive(path: string, touched: number): Promise<boolean> {
  const { pid, host } = ownerOf(await readFile(path, "utf8").catch(() => ""));
  if (host !== hostname() || pid === undefined) return true;
  // A thread of this process has touched it since the process started; a process before it, with the same id, has not.
  if (pid === process.pid) return touched > Date.now() - process.uptime() * 1000;
  return isAlive(pid);
}

/** `undefined` for a file that does not exist. */
async function touchedMs(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function ownerOf(text: string): { readonly pid: number | undefined; readonly host: unknown } {
  try {
    const owner: unknown = JSON.parse(text);
    if (isJsonObject(owner)) {
      const pid = owner["pid"];
      return { pid: typeof pid === "number" ? pid : undefined, host: owner["host"] };
    }
  } catch {
    // A lock that cannot be read counts until nobody renews it.
  }
  return { pid: undefined, host: undefined };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isForbidden(error);
  }
}
