import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, moduleFile, program, temporaryFolder } from "../data/support.js";
import { decernProcess } from "../support/decern.js";

const amounts = [1, 3000, 9000, "x", 2];
const module = moduleFile("same");

/** The results in a folder, in order. */
function results(folder: string) {
  const parts = readdirSync(folder).filter((name) => name.startsWith("part-"));
  return jsonLines(
    parts
      .sort()
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join(""),
  );
}

describe("decern bulk", () => {
  it("evaluates NDJSON and CSV alike, counts statuses, and goes on only with the same job", async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, "in.ndjson"),
      amounts.map((amount) => `${JSON.stringify({ amount })}\n`).join(""),
    );
    writeFileSync(join(cwd, "in.csv"), `amount\n${amounts.join("\n")}\n`);
    const run = (input: string, ...more: readonly string[]) =>
      decernProcess(["bulk", module, "loan", input, `${input}-out`, "--now", "2026-03-01", ...more], { cwd });
    const first = await run("in.ndjson");
    expect(first).toMatchObject({ code: 2, stderr: "" });
    expect(first.stdout).toMatch(/^5 inputs: OK 3, NO_MATCH 1, INVALID_INPUT 1\n1 part in /);
    expect((await run("in.csv", "--threads", "1")).code).toBe(2);
    expect(results(join(cwd, "in.ndjson-out")).map(({ status, line }) => [status, line])).toEqual([
      ["OK", 1],
      ["OK", 2],
      ["NO_MATCH", 3],
      ["INVALID_INPUT", 4],
      ["OK", 5],
    ]);
    expect(results(join(cwd, "in.csv-out")).map(({ status, line }) => [status, line])).toEqual([
      ["OK", 2],
      ["OK", 3],
      ["NO_MATCH", 4],
      ["INVALID_INPUT", 5],
      ["OK", 6],
    ]);
    expect((await run("in.ndjson")).stdout).toMatch(/ was complete: 5 inputs: /);
    const changed = await run("in.ndjson", "--emit", "envelope");
    expect(changed).toMatchObject({ code: 1, stdout: "" });
    expect(changed.stderr).toMatch(/^decern: [^\n]*the output form was compact and is now envelope\n$/);
  });

  it("names a folder that has something else, which is an argument and not an option", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "in.ndjson"), '{"amount":1}\n');
    const { code, stderr } = await decernProcess(["bulk", module, "loan", "in.ndjson", "."], { cwd });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `decern: ${cwd} has in.ndjson, but no manifest.json of a job: give a new or empty folder\n`,
    });
  });

  it("--key and --to csv write a table to join with the input, and --key works in a pipeline, too", async () => {
    const cwd = temporaryFolder();
    const lines = '{"amount":1,"customer":"C-1"}\n{"amount":9000,"customer":"a,b"}\n';
    writeFileSync(join(cwd, "in.ndjson"), lines);
    const run = (...more: readonly string[]) =>
      decernProcess(["bulk", module, "loan", ...more], { cwd, input: lines });
    const table = await run("in.ndjson", "table", "--to", "csv", "--key", "/customer");
    expect(table).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(cwd, "table/part-00000.csv"), "utf8")).toBe(
      'line,key,status,matchedRule,error,data.rate\n1,C-1,OK,small,,3\n2,"a,b",NO_MATCH,,,\n',
    );
    expect(jsonLines((await run("--stdin", "--key", "/customer")).stdout)).toEqual([
      { line: 1, key: "C-1", status: "OK", data: { rate: 3 }, matchedRule: "small" },
      { line: 2, key: "a,b", status: "NO_MATCH" },
    ]);
    for (const [more, message] of [
      [["in.ndjson", "out", "--key", "customer"], /^decern: --key must be a JSON Pointer/],
      [["--stdin", "--key", "customer"], /^decern: --key must be a JSON Pointer/],
      [["in.ndjson", "out", "--key", "/a", "--emit", "record"], /--key cannot be used with --emit record/],
      [["in.ndjson", "out", "--to", "csv", "--emit", "envelope"], /--to csv cannot be used with --emit/],
      [["--stdin", "--to", "csv"], /--to cannot be used with --stdin/],
    ] as const) {
      const refused = await run(...more);
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toMatch(message);
    }
  });

  it("--emit record writes records without what --mask names, which decern log reads", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "in.ndjson"), '{"amount":1}\n{"amount":2}\n');
    const run = (...more: readonly string[]) =>
      decernProcess(["bulk", module, "loan", "in.ndjson", ...more], { cwd });
    expect(await run("out", "--emit", "record", "--mask", "/input/amount")).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect((await decernProcess(["log", "verify", "out"], { cwd })).code).toBe(0);
    const found = jsonLines((await decernProcess(["log", "find", "out"], { cwd })).stdout);
    const records = found.filter(({ recordId }) => recordId !== undefined);
    const masked = expect.arrayContaining(["/input/amount"]);
    expect(records).toMatchObject([{ masked }, { masked }]);
    expect(await run("other", "--emit", "record", "--mask", "amount")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must be a JSON Pointer"),
    });
    expect(await run("other", "--mask", "/input/amount")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--mask needs --emit record"),
    });
  });

  it("loads a TypeScript module in its threads", async () => {
    const cwd = temporaryFolder();
    const url = JSON.stringify(module);
    writeFileSync(
      join(cwd, "decisions.mts"),
      `const path: string = ${url};\nexport const { decisions, profiles } = await import(path);\n`,
    );
    writeFileSync(join(cwd, "in.ndjson"), '{"amount":1}\n');
    const ended = await decernProcess(["bulk", "decisions.mts", "loan", "in.ndjson", "out"], { cwd });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(results(join(cwd, "out"))).toEqual([
      { line: 1, status: "OK", data: { rate: 3 }, matchedRule: "small" },
    ]);
  });

  it("--stdin answers a block while the pipe is open, and ends with it", async () => {
    const child = spawn(process.execPath, [program, "bulk", module, "loan", "--stdin"], { stdio: "pipe" });
    for (const amount of [1, 3000]) {
      child.stdin.write(`{"amount":${amount}}\n`);
      const [answer] = await once(child.stdout, "data");
      expect(JSON.parse(String(answer))).toMatchObject({ status: "OK" });
    }
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("--stdin ends cleanly at SIGTERM, with what it has answered", async () => {
    const child = spawn(process.execPath, [program, "bulk", module, "loan", "--stdin"], { stdio: "pipe" });
    child.stdin.on("error", () => {});
    child.stdin.write('{"amount":1}\n');
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([143, null]);
  });

  it.each([
    ["no folder", ["in.ndjson"], /needs an input and a folder, or --stdin/],
    ["a file for a filter", ["in.ndjson", "--stdin"], /--stdin reads no file/],
    ["threads for a filter", ["--stdin", "--threads", "2"], /--threads cannot be used with --stdin/],
    ["no threads", ["in.ndjson", "out", "--threads", "0"], /--threads must be a whole number from 1 to 256/],
    ["a crowd", ["in.ndjson", "out", "--threads", "10000"], /--threads must be a whole number from 1 to 256/],
    ["a file that is not there", ["none.csv", "out"], /^decern: \S+none\.csv does not exist\n$/],
    ["an ending that says nothing", ["in.txt", "out"], /^decern: --format is required/],
  ])("refuses %s", async (_what, args, message) => {
    const cwd = temporaryFolder();
    const ended = await decernProcess(["bulk", module, "loan", ...args], { cwd });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(message);
    expect(existsSync(join(cwd, "out", "manifest.json"))).toBe(false);
  });
});
