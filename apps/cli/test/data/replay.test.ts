import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ndjsonFiles } from "@decern/decision-log";
import { reportFormats } from "@decern/replay";
import { beforeEach, describe, expect, it } from "vitest";
import { replayCommand } from "../../src/commands/replay.js";
import { decern } from "../support/decern.js";
import { jsonLines, moduleFile, recordLoans, temporaryFolder } from "./support.js";

const amounts = [50, 200, 5000, 5001, 9000];
/** The input of the loan that changes, in any format. */
const input = /amount[^{]{1,60}5000/;

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  await recordLoans(ndjsonFiles(folder), amounts);
});

const replay = (module: string, ...args: readonly string[]) =>
  decern(["replay", folder, "--against", moduleFile(module), ...args]);

const replayed = async (module: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await replay(module, "--json", ...args);
  return { code, stderr, report: JSON.parse(stdout) };
};

describe("exit codes", () => {
  it("0: the same decisions answer the same", async () => {
    const { code, stderr, stdout } = await replay("same");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("loan");
    const { report } = await replayed("same");
    expect(report).toMatchObject({
      isWithin: true,
      records: 5,
      controlled: 5,
      counts: { unchanged: 5, changed: 0 },
    });
  });

  it("2: a threshold moved by one", async () => {
    const { code, stderr } = await replay("changed");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "decern: 20% of results changed or failed; --allow permits 0%\n",
    });
    const { report } = await replayed("changed");
    expect(report).toMatchObject({ isWithin: false, counts: { unchanged: 4, changed: 1 } });
  });

  it.each([
    ["20%", 0],
    ["19.9%", 2],
  ])("--allow %s ends with %d", async (allow, code) => {
    expect(await replayed("changed", "--allow", allow)).toMatchObject({ code });
  });

  it.each([
    ["0.7%", 7 / 1000],
    [".7%", 7 / 1000],
    ["29%", 29 / 100],
    ["100%", 1],
  ])("--allow %s is exactly the share that a report computes", async (allow, allowed) => {
    expect((await replayed("same", "--allow", allow)).report).toMatchObject({ allowed });
  });

  it("2: nothing could be compared", async () => {
    const ended = await replay("same", "--decision", "other");
    expect(ended).toMatchObject({ code: 2, stderr: "decern: no record could be compared\n" });
  });

  it.each([
    [["replay", "FOLDER"], /^decern replay needs --against <module>/],
    [["replay", "--against", "decisions.ts"], /^decern replay needs <records…>/],
    [["replay", "nowhere", "--against", moduleFile("same")], /^there are no records at "nowhere"/],
    [["replay", "FOLDER", "--against", "nowhere.ts"], /^cannot find nowhere\.ts/],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--baseline", "nowhere.ts"],
      /^cannot find nowhere\.ts/,
    ],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--allow", "1"],
      /^--allow must be a percentage such as 0\.5%, not "1"/,
    ],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--allow", "0.5"], // half of all, or half a percent?
      /^--allow must be a percentage such as 0\.5%, not "0\.5"/,
    ],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--allow", "101%"],
      /^--allow must be a percentage/,
    ],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--report", "report.pdf"],
      /^--report must end in \.txt, /,
    ],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--format", "pdf"],
      /^--format must be text, json, /,
    ],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--profiles", "nowhere.json"],
      /^cannot read nowhere\.json/,
    ],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--profiles", "LIST"],
      /must hold a JSON object of profiles by decision id/,
    ],
    [["replay", "FOLDER", "--against", moduleFile("same"), "--profiles", "WRONG"], /small/],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--label", "input"],
      /^--label must be a JSON Pointer, /,
    ],
    [["replay", "FOLDER", "--against", moduleFile("same"), "--changes", "FOLDER"], /EISDIR/],
    [
      ["replay", "FOLDER", "--against", moduleFile("same"), "--report", "nowhere/report.html"],
      /nowhere.report\.html/,
    ],
  ])("1: decern %j", async (words, message) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "list.json"), "[]");
    writeFileSync(join(cwd, "wrong.json"), '{"loan": {"small": "none"}}');
    const places: Record<string, string> = { FOLDER: folder, LIST: "list.json", WRONG: "wrong.json" };
    const ended = await decern(
      words.map((word) => places[word] ?? word),
      { cwd },
    );
    const [line = "", ...rest] = ended.stderr.split("\n");
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(rest).toEqual([""]);
    expect(line.replace(/^decern: /, "")).toMatch(message);
  });
});

describe("what is not a record", () => {
  const line = (change: (record: Record<string, unknown>) => void): string => {
    const [text = ""] = readFileSync(join(folder, names()), "utf8")
      .split("\n")
      .filter((each) => each.includes("recordId"));
    const record = JSON.parse(text);
    change(record);
    return `${JSON.stringify(record)}\n`;
  };
  const names = (): string => readdirSync(folder).find((each) => each.endsWith(".ndjson")) ?? "";
  const garbage = (): string =>
    [
      "not JSON\n",
      "{}\n",
      "null\n",
      line((record) => Object.assign(record, { recordVersion: 99 })),
      line((record) => Object.assign(record, { status: 5 })),
      line((record) => Object.assign(record, { sampleRate: 0 })),
      line((record) => Object.assign(record, { sampleRate: "x" })),
      line(() => {}).slice(0, 100),
    ].join("");

  it("is counted and named, in every format and on standard error", async () => {
    const file = join(temporaryFolder(), "records.ndjson");
    const text = readFileSync(join(folder, names()), "utf8");
    const first = text.split("\n").length;
    writeFileSync(file, text + garbage());
    const args = [file, "--against", moduleFile("same")];
    const { code, stdout, stderr } = await decern(["replay", ...args, "--format", "json"]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      `decern: left out 8 lines that are not records (records.ndjson:${first}: it is not JSON; ` +
        `records.ndjson:${first + 1}: recordVersion is not 1; records.ndjson:${first + 2}: it is not a JSON object; …)\n`,
    );
    const { records, unreadable } = JSON.parse(stdout);
    expect(records).toBe(5);
    expect(unreadable.count).toBe(8);
    expect(unreadable.first.map(({ reason }: { reason: string }) => reason)).toEqual([
      "it is not JSON",
      "recordVersion is not 1",
      "it is not a JSON object",
      "recordVersion is not 1",
      "status must be a status",
      "sampleRate must be above 0 and at most 1",
      "sampleRate must be above 0 and at most 1",
      "it is not JSON",
    ]);
    for (const format of ["text", "markdown", "junit", "html"]) {
      const written = (await decern(["replay", ...args, "--format", format])).stdout;
      expect(written).toContain("8 that are not records");
      expect(written).toContain("status must be a status");
    }
    const narrowed = await decern(["replay", ...args, "--decision", "loan", "--format", "json"]);
    expect(JSON.parse(narrowed.stdout)).toMatchObject({ records: 5, unreadable: { count: 8 } });
    for (const command of [
      ["log", "find", file],
      ["log", "find", file, "--newest-first"],
      ["log", "find", file, "--status", "OK"],
      ["log", "stats", file],
    ]) {
      const ended = await decern(command);
      expect(ended).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^decern: left out 8 lines that are not records/),
      });
    }
    expect(JSON.parse((await decern(["log", "stats", file, "--format", "json"])).stdout)).toMatchObject({
      records: 5,
      unreadable: 8,
    });
  });

  it("1: where nothing else is there", async () => {
    const file = join(temporaryFolder(), "garbage.ndjson");
    writeFileSync(file, garbage());
    for (const args of [
      ["replay", file, "--against", moduleFile("same")],
      ["log", "find", file],
      ["log", "stats", file],
    ])
      expect(await decern(args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("left out 8 lines that are not records"),
      });
  });
});

describe("what is compared", () => {
  it("--profiles replaces a profile, and leaves the code", async () => {
    const file = join(temporaryFolder(), "stricter.json");
    writeFileSync(file, '{"loan": {"small": 200}}');
    const { code, report } = await replayed("same", "--profiles", file);
    expect({ code, changed: report.counts.changed }).toEqual({ code: 2, changed: 1 });
    const moved = report.decisions[0].matrix.filter((cell: { changed: number }) => cell.changed > 0);
    expect(moved).toMatchObject([
      { from: "OK/large", to: "OK/small", examples: [{ requestId: "request-200" }] },
    ]);
  });

  it("--profiles is laid over the module's profiles, id by id, and says which stay", async () => {
    const file = join(temporaryFolder(), "other.json");
    writeFileSync(file, '{"shadowed": {}}');
    const { code, stderr, report } = await replayed("shadowed", "--profiles", file);
    expect({ code, unchanged: report.counts.unchanged }).toEqual({ code: 0, unchanged: 5 });
    expect(stderr).toBe("decern: profiles as in the module: loan\n");
    writeFileSync(file, '{"loan": {"small": 200}}');
    expect(await replayed("without-profiles", "--profiles", file)).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining("as in the module"),
      report: { counts: { changed: 1 } },
    });
  });

  it("a profile that the module lacks is an error", async () => {
    const { code, stdout, stderr } = await replay("without-profiles");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^decern: --profiles \/loan: is required/);
  });

  it("--baseline: the module as it was proves what the records say", async () => {
    const { code, report } = await replayed("changed", "--baseline", moduleFile("same"));
    expect(report).toMatchObject({ controlled: 5, counts: { changed: 1, notReproducible: 0 } });
    expect(code).toBe(2);
    const wrong = await replayed("same", "--baseline", moduleFile("changed"));
    expect(wrong.report.counts).toMatchObject({ unchanged: 4, notReproducible: 1 });
  });

  it("the default version of the module answers", async () => {
    const { report } = await replayed("next-version");
    expect(report.decisions[0].after).toEqual([{ version: "1.1.0", records: 5 }]);
    expect(report.counts.changed).toBe(1);
  });

  it("conditions choose the records", async () => {
    expect((await replayed("changed", "--rule", "small")).report).toMatchObject({
      records: 1,
      isWithin: true,
    });
    expect((await replayed("changed", "--status", "NO_MATCH")).report).toMatchObject({ records: 2 });
    expect((await replayed("changed", "--to", "2026-03-01T02:00:00Z")).report).toMatchObject({ records: 2 });
  });

  it("files, standard input, and what `log find` printed give the same report as the folder", async () => {
    const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".ndjson"));
    const file = join(folder, name);
    const args = ["--against", moduleFile("changed"), "--format", "json"];
    const expected = await decern(["replay", folder, ...args]);
    expect(await decern(["replay", file, ...args])).toEqual(expected);
    expect(await decern(["replay", "-", ...args], { input: readFileSync(file, "utf8") })).toEqual(expected);
    const found = await decern(["log", "find", folder, "--with-profiles"]);
    expect(await decern(["replay", "-", ...args], { input: found.stdout })).toEqual(expected);
  });
});

describe("what is written", () => {
  it("knows every format of reports", () => {
    expect(replayCommand.options["format"]?.choices).toEqual(reportFormats);
  });

  it.each([
    ["text", /^Loans\n/],
    ["json", /^\{\n/],
    ["markdown", /^#+ .*Loans/],
    ["junit", /^<\?xml /],
    ["html", /^<!doctype html>/i],
  ])("--format %s", async (format, start) => {
    const { code, stdout } = await replay("changed", "--format", format, "--title", "Loans");
    expect(code).toBe(2);
    expect(stdout).toMatch(start);
    expect(stdout).toMatch(input);
    const without = await replay("changed", "--format", format, "--omit-inputs");
    expect(without.stdout).not.toMatch(input);
  });

  it("--report also writes files, each in the form of its ending", async () => {
    const cwd = temporaryFolder();
    const names = ["report.txt", "report.json", "report.md", "report.xml", "report.html"];
    const args = ["--against", moduleFile("changed"), ...names.flatMap((name) => ["--report", name])];
    const { code } = await decern(["replay", folder, ...args], { cwd });
    expect(code).toBe(2);
    const formats = ["text", "json", "markdown", "junit", "html"];
    for (const [index, name] of names.entries()) {
      const { stdout } = await replay("changed", "--format", formats[index] ?? "");
      expect(readFileSync(join(cwd, name), "utf8")).toBe(stdout);
    }
  });

  it("--changes writes every difference, a line each", async () => {
    const file = join(temporaryFolder(), "changes.ndjson");
    await replay("changed", "--changes", file);
    expect(jsonLines(readFileSync(file, "utf8"))).toMatchObject([
      {
        verdict: "changed",
        before: { outcome: "OK/large" },
        after: { outcome: "NO_MATCH" },
        record: { requestId: "request-5000", payload: { input: { amount: 5000 } } },
      },
    ]);
    await replay("changed", "--changes", file, "--omit-inputs");
    expect(jsonLines(readFileSync(file, "utf8"))).toMatchObject([
      { verdict: "changed", record: { requestId: "request-5000", payload: null } },
    ]);
    // The rule for small ones explains itself with the amount.
    const profiles = join(temporaryFolder(), "smaller.json");
    writeFileSync(profiles, '{"loan":{"small":20}}');
    await replay("same", "--profiles", profiles, "--changes", file);
    expect(readFileSync(file, "utf8")).toContain("50 is small");
    await replay("same", "--profiles", profiles, "--changes", file, "--omit-inputs");
    expect(jsonLines(readFileSync(file, "utf8"))).toMatchObject([{ before: { outcome: "OK/small" } }]);
    expect(readFileSync(file, "utf8")).not.toContain("50 is small");
    await replay("same", "--changes", file);
    expect(existsSync(file) && readFileSync(file, "utf8")).toBe("");
  });
});
