import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCommand } from "../../../cli/test/support/published-command.js";
import { examplesOf, root } from "../examples/page-examples.js";
import { tryProject } from "./created-project.js";
import { type LocalRegistry, startRegistry } from "./local-registry.js";

const run = promisify(execFile);
/** Every package that is published, and the command. */
const names = [
  ...readdirSync(join(root, "packages")).filter((name) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    return manifest.private !== true;
  }),
  "cli",
];

/** What a package needs beside it, which the application chooses. */
const peers: Readonly<Record<string, string>> = {
  "adapter-express": "express",
  "adapter-fastify": "fastify",
  nats: "@nats-io/jetstream",
  otel: "@opentelemetry/api",
  postgres: "pg",
};

function sourceOf(name: string): string {
  return name === "cli" ? "apps/cli" : `packages/${name}`;
}

/** The packages that a README tells users to install. */
function installLine(name: string): readonly string[] {
  const readme = readFileSync(join(root, sourceOf(name), "README.md"), "utf8");
  const line = readme.match(/^npm install (.+)$/m)?.[1];
  if (line === undefined) throw new Error(`the README of ${name} does not say what to install`);
  return line.split(" ").filter((word) => !word.startsWith("-"));
}

const folder = mkdtempSync(join(tmpdir(), "decern-publish-"));
const clone = join(folder, "clone");
let registry: LocalRegistry;

beforeAll(async () => {
  registry = await startRegistry();
  await run("git", ["clone", "--quiet", root, clone]);
  const pnpm = (...args: readonly string[]) =>
    // In the clone, npx would read all of node_modules before it starts anything.
    run("npx", ["--yes", "pnpm@12", "--dir", clone, ...args], { cwd: folder, maxBuffer: 1e8 });
  await pnpm("install", "--frozen-lockfile");
  await pnpm("exec", "changeset", "version");
  await run(
    "git",
    ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@example.org", "commit", "-qam", "versions"],
    { cwd: clone },
  );
  await run("bash", [".ci/release", registry.url], { cwd: clone, env: registry.publisher, maxBuffer: 1e8 });
}, 600_000);

afterAll(async () => {
  await registry?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

async function published(name: string): Promise<Manifest> {
  const reply = await fetch(`${registry.url}@decern%2f${name}`);
  const { versions } = (await reply.json()) as { versions: Record<string, Manifest> };
  const [manifest] = Object.values(versions);
  if (manifest === undefined) throw new Error(`${name} is not there`);
  return manifest;
}

describe("the published packages", () => {
  it.each(names)(
    "%s: has its own version, rewritten ranges, no source condition, and a change log",
    async (name) => {
      const manifest = await published(name);
      expect(manifest.version).toMatch(/^0\.1\.\d+$/);
      expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:|@decern\/source/);
      if (name !== "core") expect(manifest.dependencies?.["@decern/core"]).toMatch(/^\^0\.1\./);
      const log = readFileSync(join(clone, sourceOf(name), "CHANGELOG.md"), "utf8");
      expect(log).toContain(`## ${manifest.version}`);
    },
  );
});

describe("the release script", () => {
  it("publishes nothing twice", async () => {
    const { stdout } = await run("bash", [".ci/release", registry.url], {
      cwd: clone,
      env: registry.publisher,
      maxBuffer: 1e8,
    });
    expect(stdout).toContain("no new packages that should be published");
  });

  it("does nothing without the name of a registry", async () => {
    await expect(run("bash", [".ci/release"], { cwd: clone })).rejects.toThrow("usage");
  });
});

function firstExample(name: string): string {
  const [example] = examplesOf(`${sourceOf(name)}/README.md`);
  if (example === undefined) throw new Error(`the README of ${name} has no example`);
  return example.code;
}

/** What npm has downloaded. Our packages of an earlier run, from the same port, must not be in it. */
const npmCache = join(folder, "npm-cache");
const npm = () => ({
  args: ["--no-audit", "--no-fund", "--prefer-offline", "--cache", npmCache],
  env: registry.user,
});

async function install(
  client: "npm" | "pnpm",
  place: string,
  packages: readonly string[],
  manifest: object = {},
  ...flags: readonly string[]
): Promise<void> {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, type: "module", ...manifest }));
  const args =
    client === "npm"
      ? ["install", "--ignore-scripts", ...npm().args]
      : ["--yes", "pnpm@12", "add", "--ignore-scripts"];
  await run(client === "npm" ? "npm" : "npx", [...args, ...flags, ...packages], {
    cwd: place,
    env: registry.user,
    maxBuffer: 1e8,
  });
}

/** A package in npm's lock file. */
interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The names of a package of ours and of everything that it needs, as npm resolved them in a folder. */
function needs(name: string, place: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(place, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const found = (from: string, wanted: string): string => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
      const path = `${at}${at === "" ? "" : "/"}node_modules/${wanted}`;
      if (packages[path] !== undefined) return path;
      if (at === "") throw new Error(`${from} has no ${wanted}`);
    }
  };
  const paths = new Set([`node_modules/@decern/${name}`]);
  for (const path of paths) {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {};
    const peersOf = Object.keys(peerDependencies).filter(
      (peer) => peerDependenciesMeta[peer]?.optional !== true,
    );
    for (const wanted of [...Object.keys(dependencies), ...peersOf]) paths.add(found(path, wanted));
  }
  return [...paths].flatMap((path) => path.split("node_modules/").slice(-1));
}

/** Whether a program accepts connections on a port of this machine. */
async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "localhost");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Runs a program until it listens on its port, or ends with 0. Returns what went wrong. */
async function runs(place: string, file: string, port?: number): Promise<string> {
  if (port !== undefined && (await listens(port))) return `another program listens on port ${port}`;
  const child: ChildProcess = spawn(process.execPath, [file], { cwd: place });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  let ended = false;
  const end = once(child, "close").then(() => {
    ended = true;
  });
  let served = false;
  try {
    if (port !== undefined) await expect.poll(async () => ended || (await listens(port))).toBe(true);
    else await end;
    served = !ended;
  } finally {
    child.kill("SIGKILL");
  }
  await end;
  if (served || child.exitCode === 0) return errors;
  return `exit ${child.exitCode}: ${errors}`;
}

/** The port that an example listens on. */
function portOf(code: string): number | undefined {
  const [, port] = /\blisten\((?:\{ port: )?(\d+)/.exec(code) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** Packages whose README has all of the files of its first example. */
const complete = names.filter((name) => name !== "cli" && name !== "replay" && name !== "testing");

/** Defines a decision with TypeBox, in the array `decisions`. */
const decisionSource = `import { defineDecision } from "@decern/core";
      import { typebox } from "@decern/schema";
      import { Type } from "typebox";
      const schema = typebox(Type.Object({}));
      const schemas = { inputSchema: schema, outputSchema: schema, profileSchema: schema };
      const rules = [{ id: "all", when: () => true, emit: () => ({}) }];
      const decisions = [defineDecision({ id: "all", version: "1.0.0", ...schemas, rules })];`;

const licence = readFileSync(join(root, "LICENSE"), "utf8");

const types = ["@types/node@20.19.43", "@types/express@5.0.6", "@types/pg@8.23.1"];
const tools = ["typescript@7.0.2", ...types];

/** Writes the READMEs' first examples, and what they mean by "./decisions.js". */
function writeExamples(place: string): void {
  for (const name of complete) writeFileSync(join(place, `${name}.ts`), firstExample(name));
  const [started] = examplesOf("docs/getting-started.md");
  writeFileSync(join(place, "decisions.ts"), started?.code ?? "");
}

/** Compiles a folder, libraries included. Returns what the compiler says. */
async function compile(place: string, moduleResolution: "nodenext" | "bundler"): Promise<string> {
  const compilerOptions = {
    module: moduleResolution === "nodenext" ? "nodenext" : "esnext",
    moduleResolution,
    target: "es2023",
    lib: ["es2023", "dom"],
    strict: true,
    skipLibCheck: false,
    types: ["node"],
    outDir: "out",
  };
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  // Several checkers each check the types that they share.
  const tsc = ["node_modules/typescript/bin/tsc", "--checkers", "1"];
  return await run(process.execPath, tsc, { cwd: place }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

describe("all packages in a fresh folder, by npm", () => {
  const place = join(folder, "npm");

  beforeAll(async () => {
    // On a newer Node, nothing would be refused.
    expect(process.version).toMatch(/^v20\./);
    const page = readFileSync(join(root, "docs/packages.md"), "utf8");
    const [, manifest = ""] = /^```json title="package\.json"\n(.*?)^```$/ms.exec(page) ?? [];
    const packages = [...names.map((name) => `@decern/${name}`), ...complete.flatMap(installLine)];
    const all = [...new Set([...packages, ...Object.values(peers), "typebox", "zod", ...tools])];
    mkdirSync(place);
    writeFileSync(join(place, ".npmrc"), "engine-strict=true\n");
    await expect(install("npm", place, all), "without the overrides").rejects.toThrow(/EBADENGINE/);
    await install("npm", place, all, JSON.parse(manifest));
  }, 600_000);

  it.each(names)("%s: has the licence", (name) => {
    const text = readFileSync(join(place, "node_modules/@decern", name, "LICENSE"), "utf8");
    expect(text).toBe(licence);
  });

  // The command wires other packages together.
  it.each(names.filter((name) => name !== "cli"))("%s: needs only the owner of its port", async (name) => {
    const needed = needs(name, place);
    const { dependencies = {} } = await published(name);
    const own = Object.keys(dependencies).filter((one) => one.startsWith("@decern/"));
    const siblings = needed.filter((one) => one.startsWith("@decern/"));
    expect(siblings.sort()).toEqual([...new Set([...own, `@decern/${name}`])].sort());
    expect(needed.includes("express")).toBe(name === "adapter-express");
    expect(needed.includes("fastify")).toBe(name === "adapter-fastify" || name === "server");
  });

  it.each(complete)("%s: the README's first example imports only what its install line installs", (name) => {
    const installed = new Set(installLine(name));
    const imported = [...firstExample(name).matchAll(/from "([^"]+)"/g)]
      .map(([, specifier]) => specifier ?? "")
      // Not a package, or a file that the README shows too.
      .filter((specifier) => !/^(node:|\.\/)/.test(specifier))
      .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((specifier) => !installed.has(specifier))).toEqual([]);
  });

  it("the READMEs' first examples type-check in both resolutions, libraries included, and run", {
    timeout: 600_000,
  }, async () => {
    writeExamples(place);
    for (const resolution of ["bundler", "nodenext"] as const)
      expect(await compile(place, resolution), resolution).toBe("");
    // Without a database, a queue, a service and a file, and outside a thread, these can only be compiled here.
    const compiledOnly: readonly string[] = ["bulk", "client", "dmn", "nats", "postgres", "watch"];
    for (const name of complete.filter((one) => !compiledOnly.includes(one)))
      expect(await runs(place, `out/${name}.js`, portOf(firstExample(name))), name).toBe("");
  });

  it("supports `require` of the ES module if Node does", async () => {
    writeFileSync(
      join(place, "required.cjs"),
      'const { evaluate } = require("@decern/core");\nif (typeof evaluate !== "function") process.exit(1);\n',
    );
    const supported = process.features.require_module === true;
    expect(supported, "Node from 20.19 has it").toBe(true);
    expect(await runs(place, resolve(place, "required.cjs"))).not.toContain("exit");
  });

  it("serves the pages", async () => {
    expect(readdirSync(join(place, "node_modules/@decern/openapi/swagger-ui"))).toEqual(
      expect.arrayContaining(["LICENSE", "NOTICE", "swagger-ui-bundle.js"]),
    );
    writeFileSync(
      join(place, "pages.js"),
      `import { openapi } from "@decern/openapi";
      import { createServer } from "@decern/server";
      ${decisionSource}
      const info = { title: "Strict", version: "1.0.0" };
      const server = createServer({ decisions, logger: false, openapi: openapi({ enabled: true, info }) });
      const payload = { input: {} };
      const injected = await server.handler.inject({ method: "POST", url: "/decisions/all", payload });
      const replies = await Promise.all(
        ["/docs", "/swagger/", "/swagger/static/swagger-ui.css"].map((url) => server.handler.inject(url)),
      );
      const statuses = [injected, ...replies].map(({ statusCode }) => statusCode);
      await server.close();
      if (statuses.some((status) => status !== 200)) throw new Error(String(statuses));
      `,
    );
    expect(await runs(place, "pages.js")).not.toContain("exit");
  });

  // Node opens all files of a graph of modules at once: TypeBox alone has more than 120.
  it("starts a program with every part of a server with 256 descriptors", async () => {
    writeFileSync(
      join(place, "start.js"),
      `import { createDecisionRouter } from "@decern/adapter-express";
      import { decisionPlugin } from "@decern/adapter-fastify";
      import { decisionLog, ndjsonFiles } from "@decern/decision-log";
      import { metrics } from "@decern/metrics";
      import { openapi } from "@decern/openapi";
      import { createServer } from "@decern/server";
      import express from "express";
      import fastify from "fastify";
      ${decisionSource}
      express().use(createDecisionRouter({ decisions }));
      await fastify().register(decisionPlugin, { decisions });
      const server = createServer({
        decisions,
        logger: false,
        log: decisionLog({ store: ndjsonFiles("records") }),
        metrics: metrics({ enabled: true }),
        openapi: openapi({ enabled: true, info: { title: "All", version: "1.0.0" } }),
      });
      await server.listen(0);
      await server.close();
      `,
    );
    await run("prlimit", ["--nofile=256:256", process.execPath, "start.js"], { cwd: place });
  });
});

// pnpm gives a package only what it names, and takes no overrides of npm.
it("pnpm: the READMEs' first examples type-check, and every package loads", {
  timeout: 600_000,
}, async () => {
  const place = join(folder, "pnpm");
  await install("pnpm", place, [...new Set([...complete.flatMap(installLine), ...tools])]);
  writeExamples(place);
  expect(await compile(place, "nodenext")).toBe("");
  const entries = complete.map(
    async (name) => `${name}${Object.keys((await published(name)).exports)[0]?.slice(1)}`,
  );
  const imports = (await Promise.all(entries)).map((entry) => `await import("@decern/${entry}");\n`);
  writeFileSync(join(place, "all.js"), imports.join(""));
  expect(await runs(place, "all.js")).toBe("");
});

describe("npm create decern", () => {
  it.each([
    ["20", ["--yes", "--table"]],
    ["22", ["--host", "express", "--schema", "zod", "--no-table"]],
    ["24", ["--host", "fastify", "--schema", "arktype", "--table"]],
  ])("on Node %s, with %j: builds, tests, lints, locks, serves and replays", async (version, choices) => {
    const reply = await fetch(`${registry.url}create-decern`);
    const { versions } = (await reply.json()) as { versions: Record<string, { dist: { tarball: string } }> };
    const [{ dist } = { dist: { tarball: "" } }] = Object.values(versions);
    const response = await tryProject(dist.tarball, choices, version, folder, npm());
    expect(response).toMatchObject({ status: "OK", data: { approved: false, rate: 0 } });
  });
});

describeCommand(folder, (place, packages) => install("npm", place, packages), npm);
