import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { allCommands } from "../src/commands/all-commands.js";
import { decernProcess, startDecern } from "./support/decern.js";

const folder = mkdtempSync(join(tmpdir(), "decern-main-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const preload = fileURLToPath(new URL("./support/log-loaded.mjs", import.meta.url));
const dist = new URL("../dist/", import.meta.url).href;

describe("the built command", () => {
  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    for (const flag of ["--version", "-v"]) {
      expect(await decernProcess([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
  });

  it.each([["--help"], ["eval", "--help"]])(
    "loads for %s %s nothing but its table of commands and what prints it",
    async (...args) => {
      const LOADED = join(folder, `${args.join("-")}.txt`);
      const { code } = await decernProcess(args, { env: { LOADED }, nodeArgs: ["--import", preload] });
      expect(code).toBe(0);
      const loaded = readFileSync(LOADED, "utf8").trim().split("\n");
      expect(loaded).toContain(`${dist}main.js`);
      // No package, not even our own.
      expect(loaded.filter((url) => !url.startsWith("node:") && !url.startsWith(dist))).toEqual([]);
      // A file for each command, and those that read a line, print help and notice an early exit.
      const own = loaded.filter((url) => url.startsWith(dist));
      expect(own.length).toBeLessThan(allCommands.length + 27);
    },
  );

  it("ends like any other program when nobody reads its output any more", async () => {
    const child = startDecern(["completion", "bash"]);
    child.stdout.destroy();
    await once(child, "close");
    expect(child.exitCode).toBe(141);
  });
});
