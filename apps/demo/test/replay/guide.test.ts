import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf, root } from "../examples/page-examples.js";
import { Guide, pathWithDecern } from "../support/guide.js";
import { freePort } from "../support/listening.js";

const guide = new Guide("docs/changing-thresholds.md");
// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/replay/.guide-"));

/** What the reader does by hand between two commands, as a command. */
const [, before = "", after = ""] = /change `([^`]+)` to `([^`]+)`\. Then replay/.exec(guide.text) ?? [];
const edit = `perl -pi -e 's/${before}/${after}/' decisions.ts`;

let said = "";
let code: unknown;

beforeAll(async () => {
  const [start] = examplesOf("docs/getting-started.md");
  writeFileSync(join(folder, "decisions.ts"), start?.code ?? "");
  const port = await freePort();
  // The command is installed; everything else is typed as it stands, in one shell.
  const typed = guide.blocks("sh").slice(1);
  const changed = typed.findIndex((block) => block.includes("decern replay"));
  const script = typed.toSpliced(changed, 0, edit).join("\n").replaceAll("3000", String(port));
  await new Promise<void>((done) => {
    const env = { ...process.env, PATH: pathWithDecern(folder) };
    const options = { cwd: folder, env, maxBuffer: 1 << 26 };
    execFile("bash", ["-e", "-m", "-c", script], options, (error, stdout, stderr) => {
      code = error?.code;
      said = `${stdout}\n${stderr}`;
      done();
    });
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the guide to thresholds", () => {
  it("can be followed to its end", () => {
    expect({ code, said: code === undefined ? "" : said }).toEqual({ code: undefined, said: "" });
    expect(said.match(/exit code 2/g)).toHaveLength(2);
  });

  it.each(guide.shownLines)("shows what the command prints: %s", (line) => {
    expect(said.split("\n").some((printed) => printed.startsWith(line))).toBe(true);
  });

  it("leaves a page to look at, and a comment to send", () => {
    expect(existsSync(join(folder, "replay.html"))).toBe(true);
    const comment = readFileSync(join(folder, "comment.md"), "utf8");
    expect(comment).toMatch(
      /^### ✅ Replay: 10 of 100 results changed\n\n\*\*10% of calls; 10% allowed\.\*\*/,
    );
  });
});
