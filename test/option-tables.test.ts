import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultProblem, OptionTables } from "./support/option-tables.js";
import { root } from "./support/user-pages.js";

const marker = /<!-- options: (\w+) -->/g;

const pages = readdirSync(join(root, "packages")).flatMap((name) => {
  const folder = join(root, "packages", name);
  const path = join(folder, "README.md");
  const page = readFileSync(path, "utf8");
  const types = [...page.matchAll(marker)].map(([, type = ""]) => type);
  return types.length === 0 ? [] : [{ name, folder, path, page, types }];
});
const tables = new OptionTables(pages.map(({ folder }) => folder));

describe.each(pages)("packages/$name/README.md", ({ folder, path, page, types }) => {
  it("has the options as they are declared; if not, run `npx --yes pnpm@12 run docs:options`", async () => {
    await expect(tables.rewrite(folder, page)).toMatchFileSnapshot(path);
  });

  it("has a table at each marker", () => {
    // Without rows, `rewrite` must put them all back.
    const emptied = page.replaceAll(/(<!-- options: \w+ -->\n\n\|.*\n\|.*\n)(?:\|.*\n)*/g, "$1");
    expect(emptied).not.toBe(page);
    expect(tables.rewrite(folder, emptied)).toBe(tables.rewrite(folder, page));
  });

  it.each(types)("documents each option of %s, with its default", (type) => {
    const options = tables.options(folder, type);
    expect(options.filter(({ meaning }) => meaning === "").map(({ name }) => name)).toEqual([]);
    expect(options.map(defaultProblem).filter((problem) => problem !== undefined)).toEqual([]);
  });
});
