import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const server = fileURLToPath(new URL("..", import.meta.url));
const pages = dirname(createRequire(import.meta.url).resolve("@decern/pages/package.json"));

/** Called before the unit tests: builds the pages where they are missing or older than their sources. */
export default function buildPages(): void {
  const built = modified(join(pages, "dist/page/index.html"));
  if (built < newest(pages)) {
    const vite = join(pages, "node_modules/.bin/vite");
    execFileSync(vite, ["build", "--logLevel", "warn"], { cwd: pages, stdio: "inherit" });
  } else if (modified(join(server, "dist/page/index.html")) >= built) return;
  execFileSync(process.execPath, [join(server, "scripts/copy-pages.mjs")], { stdio: "inherit" });
}

/** When something that the pages are built from was last changed. */
function newest(folder: string): number {
  const sources = readdirSync(join(folder, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const names = ["index.html", "records.html", "swagger.html", "vite.config.ts"];
  return Math.max(...[...sources, ...names.map((name) => join(folder, name))].map(modified));
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
