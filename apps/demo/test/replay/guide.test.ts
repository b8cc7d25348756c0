import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../examples/page-examples.js";

const page = readFileSync(resolve(root, "docs/changing-thresholds.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "decern-guide-"));

/** The blocks of a kind, in the order of the page. */
function blocks(kind: "sh" | "text"): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""]) => code);
}

/** What the guide changes is copied; what it uses is linked. */
function clone(): void {
  const demo = join(folder, "apps/demo");
  mkdirSync(demo, { recursive: true });
  for (const name of ["src", "dist", "package.json", "tsconfig.json"]) {
    cpSync(resolve(root, "apps/demo", name), join(demo, name), { recursive: true });
  }
  symlinkSync(resolve(root, "apps/demo/node_modules"), join(demo, "node_modules"));
  symlinkSync(resolve(root, "apps/cli"), join(folder, "apps/cli"));
  symlinkSync(resolve(root, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("not listening");
  return address.port;
}

let said = "";
let code: unknown;

beforeAll(async () => {
  clone();
  const port = await freePort();
  // The build is done; everything else is typed as it stands, in one shell.
  const script = blocks("sh").slice(1).join("\n").replaceAll("3000", String(port));
  await new Promise<void>((done) => {
    const options = { cwd: folder, maxBuffer: 1 << 26 };
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

  it.each(blocks("text").flatMap((block) => block.split("\n").filter((line) => line.trim() !== "")))(
    "shows what the command prints: %s",
    (line) => {
      expect(said.split("\n").some((printed) => printed.startsWith(line))).toBe(true);
    },
  );

  it("leaves a page to look at, and a comment to send", () => {
    expect(existsSync(join(folder, "replay.html"))).toBe(true);
    const comment = readFileSync(join(folder, "comment.md"), "utf8");
    expect(comment).toMatch(
      /^### ✅ Replay: 5 of 315 results changed\n\n\*\*1\.6% of calls; 2% allowed\.\*\*/,
    );
  });

  it("has a lock with both versions, old and new", () => {
    const lock = readFileSync(join(folder, "apps/demo/src/decisions/decern.lock.json"), "utf8");
    for (const version of ["1.2.0", "1.3.0", "2.0.0"]) expect(lock).toContain(`"${version}"`);
  });
});
