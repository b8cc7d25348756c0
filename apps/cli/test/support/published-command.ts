import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, it } from "vitest";
import { type Npm, nodeOf } from "../../../demo/test/publish/created-project.js";
import { allCommands } from "../../src/commands/all-commands.js";
import { decernProcess, startDecern } from "./decern.js";
import { javascriptStyles, typescriptStyles, writeStyle } from "./module-styles.js";

const run = promisify(execFile);

/**
 * Declares the tests of the published command, in a project that gets every package from a registry.
 *
 * @param folder - for the project and other files
 * @param install - installs packages by npm into a folder
 * @param npm - how npm finds our packages, once they are published
 */
export function describeCommand(
  folder: string,
  install: (place: string, packages: readonly string[]) => Promise<void>,
  npm: () => Npm,
): void {
  const project = join(folder, "command");
  const main = join(project, "node_modules/@decern/cli/dist/main.js");
  const styles = [...typescriptStyles, ...javascriptStyles].map((style, index) => ({
    style,
    place: join(project, `style-${index}`),
  }));

  beforeAll(async () => {
    await install(project, ["@decern/cli", "@decern/core", "zod@4"]);
    for (const { style, place } of styles) writeStyle(style, place);
  }, 600_000);

  describe.each(["20", "22", "24"])("the published command on Node %s", (version) => {
    let node: string;
    beforeAll(async () => {
      node = await nodeOf(version, folder);
      const { stdout } = await run(node, ["--version"]);
      expect(stdout).toMatch(new RegExp(`^v${version}\\.`));
    });

    it("runs with npx where nothing is installed", async () => {
      const place = join(folder, `empty-${version}`);
      mkdirSync(place);
      const npx = async (...args: readonly string[]) =>
        await run("npx", ["--yes", ...npm().args, "@decern/cli", ...args], {
          cwd: place,
          env: { ...npm().env, PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}` },
        });
      const { stdout } = await npx("--help");
      for (const { name, summary } of allCommands)
        expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary.slice(0, 20)}`, "m"));
      if (version !== "20") return;
      const { stdout: reported } = await npx("--version");
      expect(reported).toMatch(/^\d+\.\d+\.\d+\n$/);
      // Its own packages, and those of the module, are two copies.
      writeFileSync(join(place, "adult.json"), '{ "age": 18 }');
      const { stdout: envelope } = await npx(
        "eval",
        join(styles[0]?.place ?? "", "src/decisions.ts"),
        "adult",
        "-i",
        "adult.json",
      );
      expect(JSON.parse(envelope)).toMatchObject({ status: "OK", meta: { matchedRule: "of-age" } });
    });

    // Node 22 strips types as 24 does.
    const loaded = version === "22" ? styles.slice(0, 1) : styles;
    it.each(loaded.map(({ style, place }) => [style.name, style.module, place] as const))(
      "loads a module: %s",
      async (_name, module, place) => {
        const env = { NODE_OPTIONS: "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON" };
        const args = ["eval", join(place, module), "adult"];
        const { code, stdout, stderr } = await decernProcess(args, {
          node,
          main,
          env,
          cwd: folder,
          input: '{ "age": 17 }',
        });
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(JSON.parse(stdout)).toMatchObject({ status: "NO_MATCH" });
      },
    );

    it("serves, with a page and a document, and stops", async () => {
      const module = join(styles[0]?.place ?? "", "src/decisions.ts");
      const child = startDecern(["serve", module, "--port", "0"], { node, main, cwd: folder });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text) => {
        stderr += text;
      });
      const ended = once(child, "close");
      try {
        await expect.poll(() => child.exitCode !== null || /API: +http/.test(stderr)).toBe(true);
        const [, url] = /API: +(http\S+?)\/decisions/.exec(stderr) ?? [];
        for (const path of ["/docs", "/swagger/", "/openapi.json", "/metrics"]) {
          expect((await fetch(`${url}${path}`)).status, path).toBe(200);
        }
        child.kill("SIGTERM");
        await ended;
        expect(child.exitCode).toBe(0);
      } finally {
        child.kill("SIGKILL");
      }
    });

    it("evaluates a file in threads, and standard input", async () => {
      const place = styles[0]?.place ?? "";
      const cwd = mkdtempSync(join(folder, "bulk-"));
      const ages = Array.from({ length: 100 }, (_, n) => n);
      const answers = ages.map((age) => (age < 18 ? "NO_MATCH" : "OK"));
      writeFileSync(join(cwd, "in.ndjson"), ages.map((age) => `{"age":${age}}\n`).join(""));
      writeFileSync(join(cwd, "in.csv"), `age\n${ages.join("\n")}\n`);
      const bulk = (...args: readonly string[]) =>
        decernProcess(["bulk", join(place, "src/decisions.ts"), "adult", ...args], {
          node,
          main,
          cwd,
          env: { NODE_OPTIONS: "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON" },
          input: readFileSync(join(cwd, "in.ndjson"), "utf8"),
        });
      const statuses = (text: string) =>
        text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).status);
      for (const input of version === "20" ? ["in.ndjson", "in.csv"] : ["in.ndjson"]) {
        const output = `${input}-out`;
        const { code, stdout, stderr } = await bulk(input, output, "--threads", "2");
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(stdout).toMatch(/^100 inputs: OK 82, NO_MATCH 18\n/);
        expect(statuses(readFileSync(join(cwd, output, "part-00000.ndjson"), "utf8"))).toEqual(answers);
      }
      expect(statuses((await bulk("--stdin")).stdout)).toEqual(answers);
      // What Parquet needs is not installed.
      if (version !== "20") return;
      expect(await bulk("in.csv", "out", "--format", "parquet")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("npm install @duckdb/node-api"),
      });
      // As docs/bulk.md says.
      const args = ["install", "@duckdb/node-api", ...npm().args];
      await run("npm", args, { cwd: project, env: npm().env, maxBuffer: 1e8 });
      const database = await (await DuckDBInstance.create(":memory:")).connect();
      await database.run(
        `copy (select range as age from range(100)) to '${join(cwd, "in.parquet")}' (format parquet)`,
      );
      database.closeSync();
      const parquet = await bulk("in.parquet", "parquet-out");
      expect(parquet).toMatchObject({ code: 0, stderr: "" });
      expect(statuses(readFileSync(join(cwd, "parquet-out/part-00000.ndjson"), "utf8"))).toEqual(answers);
    });

    it("prints its document", async () => {
      const { code, stdout } = await decernProcess(
        ["openapi", join(styles[0]?.place ?? "", "src/decisions.ts")],
        {
          node,
          main,
        },
      );
      expect(code).toBe(0);
      expect(Object.keys(JSON.parse(stdout).paths)).toContain("/decisions/adult");
    });
  });
}
