import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "decern-site-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = fileURLToPath(new URL("../scripts/add-versions.mjs", import.meta.url));

it("adds the folder of each earlier version, and lists them, newest first", () => {
  const [kept, site] = [join(folder, "kept"), join(folder, "site")];
  for (const name of ["0.9.0", "0.10.0", ".git", "latest"]) {
    mkdirSync(join(kept, name), { recursive: true });
    writeFileSync(join(kept, name, "index.html"), name);
  }
  mkdirSync(site);
  writeFileSync(join(site, "versions.json"), '[{"version":"0.11.0","path":""}]');
  const run = () => execFileSync(process.execPath, [script, kept, site]);
  const expected = [
    { version: "0.11.0", path: "" },
    { version: "0.10.0", path: "0.10.0/" },
    { version: "0.9.0", path: "0.9.0/" },
  ];
  // The second time, the list has them already.
  for (const _ of [1, 2]) {
    run();
    expect(JSON.parse(readFileSync(join(site, "versions.json"), "utf8"))).toEqual(expected);
  }
  expect(readFileSync(join(site, "0.9.0/index.html"), "utf8")).toBe("0.9.0");
});
