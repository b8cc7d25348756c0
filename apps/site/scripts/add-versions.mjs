// Adds the pages of earlier versions to the built site, and lists all versions for the menu.
// Usage: node add-versions.mjs <folder with a folder for each version> <built site>
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [kept, site] = process.argv.slice(2);
if (kept === undefined || site === undefined) throw new Error("usage: add-versions.mjs <kept> <site>");

const list = join(site, "versions.json");
const newest = JSON.parse(readFileSync(list, "utf8")).filter(({ path }) => path === "");
const earlier = readdirSync(kept, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^\d+\.\d+\.\d+$/.test(entry.name))
  .map(({ name }) => name)
  .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
for (const version of earlier) cpSync(join(kept, version), join(site, version), { recursive: true });
const versions = [...newest, ...earlier.map((version) => ({ version, path: `${version}/` }))];
writeFileSync(list, JSON.stringify(versions));
