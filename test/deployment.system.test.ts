import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { checkedOptions } from "../packages/core/src/options.js";
import { serverRows } from "../packages/server/src/options/read-options.js";
import { manifest } from "./support/manifest.js";

const deploy = fileURLToPath(new URL("../deploy", import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-deploy-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program. Fails if it is missing, so that no test passes unchecked. */
function run(program: string, ...args: readonly string[]) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (error !== undefined)
    throw new Error(`${program} judges deploy/; .ci/run installs it`, { cause: error });
  return { status, stdout, output: stdout + stderr };
}

describe("deploy/kustomization.yaml", () => {
  it("has everything of kubernetes.yaml, and sets the image and the namespace", () => {
    for (const name of ["kustomization.yaml", "kubernetes.yaml"])
      copyFileSync(join(deploy, name), join(folder, name));
    const file = join(folder, "kustomization.yaml");
    const set = readFileSync(file, "utf8").replace(
      "newName: decern-demo, newTag: latest",
      "newName: registry.example/loans, newTag: 4f2c1e9",
    );
    writeFileSync(file, `${set}namespace: lending\n`);
    const { status, stdout, output } = run("kubectl", "kustomize", folder);
    expect(status, output).toBe(0);
    const rendered = parseAllDocuments(stdout).map((document) => document.toJS());
    expect(rendered.map(({ kind }) => kind).toSorted()).toEqual(manifest.map(({ kind }) => kind).toSorted());
    for (const { kind, metadata } of rendered) expect(metadata.namespace, kind).toBe("lending");
    const deployment = rendered.find(({ kind }) => kind === "Deployment");
    expect(deployment.spec.template.spec.containers[0].image).toBe("registry.example/loans:4f2c1e9");
  });
});

describe("deploy/decern.service", () => {
  const unit = readFileSync(join(deploy, "decern.service"), "utf8");
  /** Checks the unit where Node is not where Debian has it. */
  const written = (text: string): string => {
    const file = join(folder, "decern.service");
    writeFileSync(file, text.replace("/usr/bin/node", process.execPath));
    return file;
  };

  it("is accepted by systemd", () => {
    expect(run("systemd-analyze", "verify", "--man=no", written(unit))).toMatchObject({
      status: 0,
      output: "",
    });
    const misspelled = unit.replace("ProtectHome=", "ProtectHomes=");
    expect(run("systemd-analyze", "verify", "--man=no", written(misspelled)).output).toContain(
      "ProtectHomes",
    );
  });

  it("exposes little, as systemd counts: 2 at most, of 10", () => {
    const exposure = (text: string) =>
      run("systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=20", written(text))
        .status;
    expect(exposure(unit)).toBe(0);
    expect(exposure(unit.replace("CapabilityBoundingSet=", "").replace(/^SystemCallFilter.*$/gm, ""))).toBe(
      1,
    );
  });

  it("gives the service longer to close than it takes", () => {
    const { closeTimeoutMs } = checkedOptions("test", { decisions: [] }, serverRows);
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    expect(Number(seconds) * 1000).toBeGreaterThan(closeTimeoutMs);
  });
});
