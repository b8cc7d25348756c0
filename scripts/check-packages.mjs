// Packs what is published, and fails if publint or Are the types wrong finds a problem in it. In one process, because starting
// their commands for each package takes longer than what they check.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Ways of resolution that packages of ES modules do not support: of Node 10, and `require` in Node 16. */
const unsupported = ["node10", "node16-cjs"];

const folder = mkdtempSync(join(tmpdir(), "decern-packages-"));
let problems = 0;
try {
  const published = ["./packages/*", "!@decern/pages", "@decern/cli", "create-decern"];
  const filters = published.map((name) => `--filter=${name}`);
  execFileSync("pnpm", ["--recursive", ...filters, "pack", "--pack-destination", folder], { stdio: "pipe" });
  for (const name of readdirSync(folder)) {
    const packed = new Uint8Array(readFileSync(join(folder, name)));
    const { messages, pkg } = await publint({ pack: { tarball: packed.buffer }, strict: true });
    for (const message of messages) report(name, formatMessage(message, pkg));
    // Nothing is imported from a command.
    if (!("exports" in pkg)) continue;
    const { types, problems: wrong = [] } = await checkPackage(createPackageFromTarballData(packed));
    if (types === false) report(name, "has no types");
    for (const problem of wrong)
      if (!unsupported.includes(problem.resolutionKind)) report(name, JSON.stringify(problem));
  }
} finally {
  rmSync(folder, { recursive: true });
}

function report(name, text) {
  problems += 1;
  console.error(`${name}: ${text}`);
}

if (problems > 0) process.exitCode = 1;
