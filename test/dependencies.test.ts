import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

interface Workspace {
  readonly minimumReleaseAge: number;
  readonly minimumReleaseAgeExclude?: readonly string[];
  readonly allowBuilds: Readonly<Record<string, boolean>>;
  readonly dangerouslyAllowAllBuilds?: boolean;
}
interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly resolution: Readonly<Record<string, unknown>> }>>;
}

const workspace: Workspace = parse(file("pnpm-workspace.yaml"));
const lockfile: Lockfile = parse(file("pnpm-lock.yaml"));

describe("the installed packages", () => {
  it("match the committed lockfile, each with a digest", () => {
    const tracked = execFileSync("git", ["ls-files", "pnpm-lock.yaml"], { cwd: root, encoding: "utf8" });
    expect(tracked.trim()).toBe("pnpm-lock.yaml");
    const packages = Object.entries(lockfile.packages);
    expect(packages.length).toBeGreaterThan(300);
    // A tarball from another source, or a repository, would have none.
    const loose = packages.filter(([, { resolution }]) => !/^sha512-/.test(String(resolution["integrity"])));
    expect(loose.map(([name]) => name)).toEqual([]);
    const elsewhere = packages.filter(
      ([, { resolution }]) => "tarball" in resolution || "repo" in resolution,
    );
    expect(elsewhere.map(([name]) => name)).toEqual([]);
  });

  it("are at least a day old", () => {
    expect(workspace.minimumReleaseAge).toBeGreaterThanOrEqual(24 * 60);
    expect(workspace.minimumReleaseAgeExclude ?? []).toEqual([]);
  });

  it("run no scripts at installation, and every package with a script is listed with a reason", () => {
    expect(workspace.dangerouslyAllowAllBuilds ?? false).toBe(false);
    const names = Object.keys(workspace.allowBuilds);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => workspace.allowBuilds[name] !== false)).toEqual([]);
    const lines = file("pnpm-workspace.yaml").split("\n");
    for (const name of names) {
      const line = lines.findIndex((text) => [`  ${name}: false`, `  "${name}": false`].includes(text));
      expect(lines[line - 1], `a comment says why ${name} may not run its script`).toMatch(/^ {2}# .{40,}$/);
    }
  });

  it("are what CI installs and audits", () => {
    const ci = file(".ci/run");
    const install = ci.indexOf("install --frozen-lockfile");
    expect(install).toBeGreaterThan(0);
    expect(ci.indexOf("audit --prod")).toBeGreaterThan(install);
    expect(ci).not.toMatch(/--no-frozen-lockfile|--ignore-scripts=false/);
  });
});
