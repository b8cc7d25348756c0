import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Guide, pathWithDecern } from "../support/guide.js";
import { freePort } from "../support/listening.js";
import { root } from "./page-examples.js";

const guide = new Guide("docs/decision-tables.md");
// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.table-guide-"));

/** What the analyst does by hand between two commands, as a command. */
const fill = "npx decern table convert fee.csv fee.xlsx --contract contracts.ts";
const [missingRow = ""] = guide.blocks("csv");
const [, row = "", before = "", after = "", version = ""] =
  /in `([^`]+)`, change `([^`]+)` to `([^`]+)`, and raise the version to `([^`]+)`/.exec(guide.text) ?? [];
const byHand: Readonly<Record<string, string>> = {
  "table check": fill,
  "table diff": `sed -e '/^${row}/s/${before}/${after}/' -e 's/^version,.*/version,${version}/' fee.csv > new.csv
    npx decern table convert new.csv fee-new.xlsx --contract contracts.ts`,
  serve: `cat >> fee.csv <<'row'\n${missingRow}row\n${fill}`,
};

let said = "";
let code: unknown;

beforeAll(async () => {
  guide.writeFiles(folder);
  const port = await freePort();
  const script = guide
    .blocks("sh")
    // The packages are installed.
    .slice(1)
    .flatMap((block) => {
      const first = Object.entries(byHand).find(([name]) => block.startsWith(`npx decern ${name}`))?.[1];
      return first === undefined ? [block] : [first, block];
    })
    .join("\n")
    .replaceAll("3000", String(port));
  await new Promise<void>((done) => {
    const env = { ...process.env, PATH: pathWithDecern(folder) };
    execFile(
      "bash",
      ["-e", "-m", "-c", script],
      { cwd: folder, env, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        code = error?.code;
        said = `${stdout}\n${stderr}`;
        done();
      },
    );
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the guide to tables", () => {
  it("can be followed to its end", () => {
    expect({ code, said: code === undefined ? "" : said }).toEqual({ code: undefined, said: "" });
    expect(said).toContain("exit code 2");
  });

  it.each(guide.shownLines)("shows what the command prints: %s", (line) => {
    expect(said.split("\n")).toContain(line);
  });
});
