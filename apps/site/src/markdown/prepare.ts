import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SitePage } from "./site-pages.js";

/**
 * Copies the pages to where the site has them. The folder is not committed.
 *
 * @param root - the root of the repository
 * @param target - is emptied first
 * @param version - of the packages that the pages are about
 */
export function preparePages(
  root: string,
  target: string,
  pages: readonly SitePage[],
  version: string,
): void {
  rmSync(target, { recursive: true, force: true });
  for (const { source, page } of pages) {
    mkdirSync(dirname(join(target, page)), { recursive: true });
    cpSync(join(root, source), join(target, page));
  }
  cpSync(join(root, "docs/images"), join(target, "docs/images"), { recursive: true });
  cpSync(join(root, "apps/site/public"), join(target, "public"), { recursive: true });
  // Earlier versions are added where the site is deployed.
  writeFileSync(join(target, "public/versions.json"), JSON.stringify([{ version, path: "" }]));
}
