import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const project = fileURLToPath(new URL("express4-types/tsconfig.json", import.meta.url));

it("compiles against the types of Express 4", async () => {
  const run = promisify(execFile)(process.execPath, [tsc, "-p", project, "--listFiles", "--checkers", "1"]);
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  expect(stdout.split("\n").filter((line) => line.includes("error TS"))).toEqual([]);
  expect(stdout).toMatch(/@types\+express@4[^\n]*\/express\/index\.d\.ts/);
  expect(stdout).not.toMatch(/@types\+express@5/);
});
