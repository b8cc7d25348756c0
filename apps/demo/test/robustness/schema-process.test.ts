import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killAll, startProcess } from "../support/service.js";

const demo = fileURLToPath(new URL("../..", import.meta.url));

afterAll(killAll);

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program with the built packages. */
async function run(program: string, options: readonly string[] = []): Promise<Ended> {
  const { ended, output } = startProcess(process.execPath, [...options, program]);
  const { code } = await ended;
  return { code, output: output() };
}

describe("@decern/schema, built into one file", () => {
  let folder = "";
  beforeAll(async () => {
    // Outside the repository, a missing dependency cannot be found.
    folder = await mkdtemp("/tmp/decern-bundle-");
    await build({
      configFile: false,
      logLevel: "error",
      root: demo,
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: {
          input: fileURLToPath(new URL("bundled-program.mjs", import.meta.url)),
          output: { entryFileNames: "bundled.mjs", codeSplitting: false },
        },
      },
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("validates, including patterns without a bound", async () => {
    const { code, output } = await run(join(folder, "bundled.mjs"));
    expect(output).toBe("OK INVALID_INPUT\n");
    expect(code).toBe(0);
  });
});

it("refuses a type at definition if the process forbids generating code from strings", async () => {
  const program = fileURLToPath(new URL("forbidden-code.mjs", import.meta.url));
  const { code, output } = await run(program, ["--disallow-code-generation-from-strings"]);
  expect(output).toMatch(/^DecernError INVALID_DECISION .*forbids generating code from strings/);
  // Exporting requires no code generation.
  expect(output).toMatch(/^\{"type":"object"/m);
  expect(code).toBe(0);
});

it("releases schemas that are no longer used", async () => {
  const program = fileURLToPath(new URL("discarded-schemas.mjs", import.meta.url));
  const { code, output } = await run(program, ["--expose-gc"]);
  expect(code, output).toBe(0);
  const { kept, growth } = JSON.parse(output);
  // A schema in use is kept, and works.
  expect(kept).toBe(true);
  // 450 schemas would take more than 6 MB.
  expect(growth).toBeLessThan(3 * 1024 * 1024);
}, 300_000);
