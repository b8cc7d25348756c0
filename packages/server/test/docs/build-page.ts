import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the docs page when it is missing or older than its sources. */
export async function buildPage(): Promise<void> {
  const built = await modified(join(root, "dist/page/index.html"));
  if (built > (await newest(join(root, "page")))) return;
  await promisify(execFile)(join(root, "node_modules/.bin/vite"), ["build", "page", "--logLevel", "warn"], {
    cwd: root,
  });
}

async function newest(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const times = entries
    .filter((entry) => entry.isFile())
    .map((entry) => modified(join(entry.parentPath, entry.name)));
  return Math.max(...(await Promise.all(times)));
}

async function modified(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}
