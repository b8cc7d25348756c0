import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../src/run.js";

const folder = mkdtempSync(join(tmpdir(), "create-decern-"));
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(folder, "cwd-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a command line.
 *
 * @param replies - typed one after the other, each once the command asks; without any, there is no terminal
 */
async function create(args: readonly string[], replies: readonly string[] = []) {
  const stdin = new PassThrough();
  // Readline takes it for a terminal, and reads control characters.
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stderr = new PassThrough();
  const [...left] = replies;
  const shown: string[] = [];
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    shown.push(chunk);
    if (chunk.includes("): ")) setImmediate(() => void stdin.write(left.shift() ?? "\r"));
  });
  const code = await run(args, { stdin, stdout, stderr, cwd, isInteractive: replies.length > 0 });
  stderr.end();
  return { code, stdout: shown.join(""), stderr: await text(stderr) };
}

function manifestOf(name: string) {
  return JSON.parse(readFileSync(join(cwd, name, "package.json"), "utf8"));
}

describe("flags", () => {
  it("choose everything, without a question", async () => {
    const { code, stdout } = await create(["loans", "--host", "express", "--schema", "zod", "--table"]);
    expect(code).toBe(0);
    expect(stdout).toContain("  cd loans\n  npm install\n");
    const { name, dependencies } = manifestOf("loans");
    expect(name).toBe("loans");
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining(["@decern/adapter-express", "@decern/table", "zod"]),
    );
  });

  it("leave the rest to the defaults with --yes", async () => {
    expect((await create(["--yes", "--host", "fastify"])).code).toBe(0);
    const { dependencies } = manifestOf("decisions");
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(["@decern/adapter-fastify", "typebox"]));
    expect(dependencies).not.toHaveProperty("@decern/table");
  });

  it("are required where nobody can reply", async () => {
    const { code, stderr } = await create(["loans", "--schema", "zod"]);
    expect(code).toBe(1);
    expect(stderr).toContain("give --host, --table, or --yes for the defaults");
    expect(existsSync(join(cwd, "loans"))).toBe(false);
  });

  it.each([
    [["loans", "--host", "koa"], '--host must be server, express or fastify, not "koa"'],
    [["loans", "--schema", "toString"], '--schema must be typebox, zod or arktype, not "toString"'],
    [["loans", "--hots", "express"], "Unknown option '--hots'"],
    [["loans", "express"], "with npm, options stand behind --"],
  ])("%j: are rejected", async (args, message) => {
    const { code, stderr } = await create([...args, "--yes"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("show the help", async () => {
    const { code, stdout } = await create(["--help"]);
    expect(code).toBe(0);
    for (const option of ["--host", "--schema", "--table", "--yes"]) expect(stdout).toContain(option);
  });
});

describe("folders", () => {
  it("are refused if they are not empty, before anything is asked", async () => {
    mkdirSync(join(cwd, "loans/inner"), { recursive: true });
    for (const replies of [[], ["1\r"]]) {
      const { code, stdout, stderr } = await create(
        ["loans", ...(replies.length === 0 ? ["--yes"] : [])],
        replies,
      );
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("is not empty");
    }
    expect(readdirSync(join(cwd, "loans"))).toEqual(["inner"]);
  });

  it("can be the current one", async () => {
    const { code, stdout } = await create([".", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("cd ");
    expect(readdirSync(cwd)).toContain("package.json");
  });
});

describe("questions", () => {
  it("are asked for what is missing, until the reply is one of the list", async () => {
    const replies = ["fees\r", "koa\r", "3\r", "arktype\r", "y\r"];
    const { code, stdout } = await create([], replies);
    expect(code).toBe(0);
    expect(stdout.match(/What serves the decisions\?/g)).toHaveLength(2);
    expect(Object.keys(manifestOf("fees").dependencies)).toEqual(
      expect.arrayContaining(["@decern/adapter-fastify", "arktype", "@decern/table"]),
    );
  });

  it("have defaults", async () => {
    expect((await create(["loans"], ["\r"])).code).toBe(0);
    expect(Object.keys(manifestOf("loans").dependencies)).toEqual(
      expect.arrayContaining(["@decern/server", "typebox"]),
    );
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("end with %s, and nothing is written", async (_name, key) => {
    const { code, stderr } = await create(["loans"], ["2\r", key]);
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: "create-decern: cancelled; nothing was written\n",
    });
    expect(readdirSync(cwd)).toEqual([]);
  });
});
