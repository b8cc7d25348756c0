import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { createServer } from "@decern/server";
import { beforeEach, describe, expect, it } from "vitest";
import { nested } from "../../../../test/support/odd-calls.js";
import { loadModule } from "../../src/module/load-module.js";
import { decern } from "../support/decern.js";
import { jsonLines, moduleFile, recordLoans, subjectKey, temporaryFolder } from "./support.js";

const amounts = [50, 200, 5000, 5001, 9000];

let folder: string;
let fileName: string;

beforeEach(async () => {
  folder = temporaryFolder();
  await recordLoans(ndjsonFiles(folder), amounts);
  fileName = readdirSync(folder).find((name) => name.endsWith(".ndjson")) ?? "";
});

const fileText = (): string => readFileSync(join(folder, fileName), "utf8");
const recordsIn = (text: string) => jsonLines(text).filter((line) => "recordId" in line);

describe("decern log find", () => {
  it("prints what is in the files, as it is in the files", async () => {
    const copied = await decern(["log", "find", folder, "--with-profiles"]);
    expect(copied).toEqual({ code: 0, stdout: fileText(), stderr: "" });
    // Programs that read records meet nothing else.
    const { stdout } = await decern(["log", "find", folder]);
    const lines = fileText()
      .split("\n")
      .filter((line) => !line.startsWith('{"profile"'));
    expect(stdout).toBe(lines.join("\n"));
    expect(jsonLines(stdout).every((line) => "recordId" in line)).toBe(true);
  });

  it("chooses by how the version was chosen, with --limit", async () => {
    const shadows = join(temporaryFolder(), "shadows.ndjson");
    const lines = fileText().replace(/"selectedBy":"default"(?=[^\n]*\n[^\n]*\n$)/, '"selectedBy":"shadow"');
    writeFileSync(shadows, lines);
    const find = async (...args: readonly string[]) =>
      recordsIn((await decern(["log", "find", shadows, ...args])).stdout).map((one) => one["selectedBy"]);
    expect(await find("--selected-by", "shadow")).toEqual(["shadow"]);
    expect(await find("--selected-by", "shadow", "--limit", "1")).toEqual(["shadow"]);
    expect(await find("--selected-by", "default")).toHaveLength(amounts.length - 1);
    expect(await find("--selected-by", "default", "--limit", "2")).toHaveLength(2);
    expect(await find("--selected-by", "path")).toEqual([]);
  });

  it.each(["/used/*", "/used/*/profileHash"])(
    "copies records in which %s was masked, and replays what else there is",
    async (pointer) => {
      const masked = temporaryFolder();
      const { decisions, profiles } = await loadModule(moduleFile("using"), masked);
      const log = decisionLog({ store: ndjsonFiles(masked), mask: { total: [pointer] } });
      const server = createServer({ decisions, profiles, log });
      const payload = { input: { amount: 7_000 } };
      for (const id of ["fee", "total"])
        await server.handler.inject({ method: "POST", url: `/decisions/${id}`, payload });
      await server.close();
      await log.close();

      const copied = await decern(["log", "find", masked, "--with-profiles"]);
      expect(copied).toMatchObject({ code: 0, stderr: "" });
      expect(jsonLines(copied.stdout).at(-1)).toMatchObject({ decision: { id: "total" } });
      const replayed = await decern(["replay", masked, "--against", moduleFile("using"), "--json"]);
      expect(JSON.parse(replayed.stdout)).toMatchObject({ counts: { unchanged: 1, inconclusive: 1 } });
    },
  );

  it("prints a file of records that the other commands read, with the profiles that it needs", async () => {
    const found = await decern(["log", "find", folder, "--status", "NO_MATCH", "--with-profiles"]);
    const [profile, ...records] = jsonLines(found.stdout);
    expect(profile).toMatchObject({ recordVersion: 1, profile: { small: 100 } });
    expect(records.map((record) => record["requestId"])).toEqual(["request-5001", "request-9000"]);
    const copy = join(folder, "copy.ndjson");
    writeFileSync(copy, found.stdout);
    expect((await decern(["log", "find", copy, "--with-profiles"])).stdout).toBe(found.stdout);
    const stats = await decern(["log", "stats", copy, "--format", "json"]);
    expect(JSON.parse(stats.stdout)).toMatchObject({ records: 2, withoutPayload: 0 });
  });

  it.each([
    [
      ["--rule", "large"],
      [200, 5000],
    ],
    [["--request-id", "request-50"], [50]],
    [
      ["--newest-first", "--limit", "2"],
      [9000, 5001],
    ],
    [["--decision", "loan", "--version", "1.0.0", "--to", "2026-01-01"], []],
    [
      ["--from", "2026-03-01T01:00:00Z", "--status", "OK"],
      [200, 5000],
    ],
    [
      ["--from", "2026-03-01T02:00:00+01:00", "--to", "2026-03-01T03:00:00Z"],
      [200, 5000],
    ],
    [["--caller", "nobody"], []],
  ])("finds with %j", async (args, expected) => {
    const { code, stdout } = await decern(["log", "find", folder, ...args]);
    expect(recordsIn(stdout).map((record) => record["requestId"])).toEqual(
      expected.map((amount) => `request-${amount}`),
    );
    expect(code).toBe(0);
  });

  it("finds a person by name with the key, and by the hash without it", async () => {
    const env = { DECERN_SUBJECT_KEY: subjectKey };
    const [byName] = recordsIn((await decern(["log", "find", folder, "--subject", "C-200"], { env })).stdout);
    expect(byName).toMatchObject({ requestId: "request-200", masked: ["/input/customer"] });
    const hash = String(byName?.["subject"]);
    expect(recordsIn((await decern(["log", "find", folder, "--subject", hash])).stdout)).toEqual([byName]);
    const keyFile = join(temporaryFolder(), "subject.key");
    writeFileSync(keyFile, `${subjectKey}\n`);
    const byFile = await decern(["log", "find", folder, "--subject", "C-200", "--key-file", keyFile]);
    expect(recordsIn(byFile.stdout)).toEqual([byName]);
  });

  it("reads standard input, and leaves nothing of it behind", async () => {
    const temporary = temporaryFolder();
    const args = ["log", "find", "-", "--rule", "small"];
    const { stdout, code } = await decern(args, { input: fileText(), env: { TMPDIR: temporary } });
    expect(recordsIn(stdout).map((record) => record["requestId"])).toEqual(["request-50"]);
    expect(code).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("reads several places by time", async () => {
    const later = temporaryFolder();
    await recordLoans(ndjsonFiles(later), [1, 2], "2026-04-01T00:00:00Z");
    const oldest = await decern(["log", "find", later, folder]);
    const ids = recordsIn(oldest.stdout).map((record) => record["requestId"]);
    expect(ids).toEqual([...amounts, 1, 2].map((amount) => `request-${amount}`));
    const alone = await decern(["log", "find", later, folder, "--with-profiles"]);
    expect(jsonLines(alone.stdout).length).toBe(ids.length + 1);
    const newest = await decern(["log", "find", later, folder, "--newest-first", "--limit", "3"]);
    expect(recordsIn(newest.stdout).map((record) => record["requestId"])).toEqual(
      ids.toReversed().slice(0, 3),
    );
  });
});

it("reads what callers nested as deeply as the log keeps it, and deeper", async () => {
  const deep = temporaryFolder();
  const amounts = [490, 497, 498, 499, 500, 501, 505, 2000].map((levels) => nested(levels));
  await recordLoans(ndjsonFiles(deep), amounts);
  const verified = await decern(["log", "verify", deep, "--format", "json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, records: amounts.length });
  expect(verified.code).toBe(0);
  const found = recordsIn((await decern(["log", "find", deep])).stdout);
  expect(found.map((record) => record["status"])).toEqual(amounts.map(() => "INVALID_INPUT"));
  for (const format of ["text", "json"]) {
    const shown = await decern(["log", "show", deep, "request-4", "--format", format]);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout.match(/a\/~/g)?.length).toBeGreaterThan(300);
  }
  const replayed = await decern(["replay", deep, "--against", moduleFile("same"), "--format", "json"]);
  expect(JSON.parse(replayed.stdout).counts).toMatchObject({ unchanged: amounts.length, changed: 0 });
});

describe("decern log show", () => {
  it("shows a record by its id, and its profile", async () => {
    const [, record] = recordsIn(fileText());
    const { code, stdout } = await decern(["log", "show", folder, String(record?.["recordId"])]);
    expect(code).toBe(0);
    expect(stdout).toContain("decision      loan 1.0.0, chosen by default\n");
    expect(stdout).toContain("outcome       OK, rule large\n");
    expect(stdout).toContain("masked        /input/customer\n");
    expect(stdout).toContain('\nprofile\n  {\n    "small": 100\n  }\n');
    expect(stdout).not.toContain("C-200");
  });

  it("shows the records of a request as JSON", async () => {
    const { code, stdout } = await decern(["log", "show", folder, "request-50", "--format", "json"]);
    const [record] = recordsIn(fileText());
    expect(JSON.parse(stdout)).toEqual([{ record, profile: { small: 100 } }]);
    expect(code).toBe(0);
  });

  it("writes control characters out", async () => {
    const copy = join(folder, "copy.ndjson");
    writeFileSync(copy, fileText().replaceAll("request-50", "request\\u001b[31m"));
    const { stdout } = await decern(["log", "show", copy, "request\u001b[31m"]);
    expect(stdout).toContain("request       request\\u001b[31m\n");
    expect(stdout).not.toContain("\u001b");
  });

  it("shows what a hash names", async () => {
    const [, record] = recordsIn(fileText());
    const { code, stdout } = await decern(["log", "show", folder, String(record?.["profileHash"])]);
    expect({ code, profile: JSON.parse(stdout) }).toEqual({ code: 0, profile: { small: 100 } });
    const unknown = `sha256:${"0".repeat(64)}`;
    expect(await decern(["log", "show", folder, unknown])).toEqual({
      code: 1,
      stdout: "",
      stderr: `decern: no table, model or profile has the hash "${unknown}"\n`,
    });
  });

  it("fails for a record that is not there", async () => {
    expect(await decern(["log", "show", folder, "request-7"])).toEqual({
      code: 1,
      stdout: "",
      stderr: 'decern: no record has the record id or request id "request-7"\n',
    });
  });
});

it("takes a folder that is named in two ways once", async () => {
  const { stdout } = await decern(["log", "stats", folder, `${folder}/`, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ records: amounts.length });
});

describe("decern log verify", () => {
  it("accepts what a log wrote", async () => {
    const { code, stdout } = await decern(["log", "verify", folder]);
    const head = recordsIn(fileText()).at(-1)?.["hash"];
    expect(stdout).toBe(`No problems found: 5 records in 1 chain\n\nchain 1: 5 records, head ${head}\n`);
    expect(code).toBe(0);
    const json = await decern(["log", "verify", folder, "--format", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, records: 5, problems: [], missingHeads: [] });
  });

  it("names the record that was changed", async () => {
    const record = recordsIn(fileText())[2];
    writeFileSync(join(folder, fileName), fileText().replace('"amount":5000', '"amount":4000'));
    const { code, stdout } = await decern(["log", "verify", folder]);
    expect(code).toBe(2);
    expect(stdout).toContain(
      `${record?.["recordId"]}, at ${fileName}:4\n    its payload was changed after it was written`,
    );
    const json = await decern(["log", "verify", folder, "--format", "json"]);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      problems: [{ recordId: record?.["recordId"] }],
    });
  });

  it("sees with a head from elsewhere that the end was cut off", async () => {
    const heads = recordsIn(fileText()).map((record) => String(record["hash"]));
    const args = ["log", "verify", folder, ...heads.flatMap((head) => ["--head", head])];
    expect((await decern(args)).code).toBe(0);
    writeFileSync(join(folder, fileName), `${fileText().trimEnd().split("\n").slice(0, -1).join("\n")}\n`);
    expect((await decern(["log", "verify", folder])).code).toBe(0);
    const { code, stdout } = await decern(args);
    expect(code).toBe(2);
    expect(stdout).toContain(`no record has the head ${heads.at(-1)}`);
  });
});

describe("decern log verify, of what hashes do not show", () => {
  const env = { DECERN_SUBJECT_KEY: subjectKey };
  const erase = () => decern(["log", "erase", folder, "--subject", "C-5000"], { env });

  it("shows what comes after the given heads, and chains for which there is none", async () => {
    const records = recordsIn(fileText());
    await erase();
    const { code, stdout } = await decern(["log", "verify", folder, "--head", String(records[2]?.["hash"])]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^chain 1: 5 records, 1 without payload, head sha256:\w+, 2 after the given head$/m,
    );
    expect(stdout).toMatch(/^erasures 0: 1 erasure, head sha256:\w+, no head given$/m);
  });

  it("fails for a payload without its erasure, in a folder and in files", async () => {
    await erase();
    const erasures = join(folder, "0-00000001.ndjson");
    const files = [erasures, join(folder, fileName)];
    expect((await decern(["log", "verify", ...files])).code).toBe(0);
    for (const args of [
      ["log", "verify", String(files[1])],
      ["log", "verify", folder],
    ]) {
      if (args[2] === folder) rmSync(erasures);
      const { code, stdout } = await decern(args);
      expect(code).toBe(2);
      expect(stdout).toContain("its payload is missing, and no erasure accounts for it");
    }
  });

  it("fails for a profile that is missing, and for a copy of a record", async () => {
    const [, ...lines] = fileText().trimEnd().split("\n");
    const copy = join(folder, "copy.ndjson");
    writeFileSync(copy, `${lines.join("\n")}\n`);
    const { code, stdout } = await decern(["log", "verify", join(folder, fileName), copy]);
    expect(code).toBe(2);
    expect(stdout.match(/the profile sha256:\w+ that it was evaluated with is missing/g)).toHaveLength(1);
    expect(stdout.match(/a record with its id came before/g)).toHaveLength(5);
  });
});

describe("decern log erase", () => {
  const env = { DECERN_SUBJECT_KEY: subjectKey };

  it("erases one person, and the chain stays whole", async () => {
    const args = ["log", "erase", folder, "--subject", "C-5000"];
    const counted = await decern([...args, "--dry-run"], { env });
    expect(counted).toEqual({ code: 0, stdout: "Would erase the payload of 1 record\n", stderr: "" });
    expect(fileText()).toContain('"amount":5000');
    expect(await decern(args, { env })).toEqual({
      code: 0,
      stdout: "Erased the payload of 1 record\n",
      stderr: "",
    });
    expect(fileText()).not.toContain('"amount":5000');
    const again = await decern([...args, "--format", "json"], { env });
    expect({ code: again.code, stdout: JSON.parse(again.stdout) }).toEqual({
      code: 2,
      stdout: { records: 0 },
    });
    expect((await decern(["log", "verify", folder])).code).toBe(0);
    const stats = await decern(["log", "stats", folder, "--format", "json"]);
    expect(JSON.parse(stats.stdout)).toMatchObject({ records: 5, withoutPayload: 1 });
  });

  it.each([[], ["--dry-run"]])("says that it found nobody: %j", async (...flags) => {
    const before = fileText();
    expect(await decern(["log", "erase", folder, "--subject", "C-500O", ...flags], { env })).toEqual({
      code: 2,
      stdout: "Found no record with data of this person: nothing to erase\n",
      stderr: "",
    });
    expect(fileText()).toBe(before);
  });

  it("erases by the hash that records have", async () => {
    const hash = String(recordsIn(fileText())[0]?.["subject"]);
    const { stdout } = await decern(["log", "erase", folder, "--subject", hash]);
    expect(stdout).toBe("Erased the payload of 1 record\n");
    expect(fileText()).not.toContain('"amount":50,');
  });
});

describe("decern log stats", () => {
  it("counts for people and for programs", async () => {
    const text = await decern(["log", "stats", folder]);
    expect(text.stdout).toMatch(
      /^records {10}5\noldest {11}\S+Z\nnewest {11}\S+Z\nwithout payload {2}0\nbytes /,
    );
    const json = await decern(["log", "stats", folder, "--format", "json"]);
    expect(JSON.parse(json.stdout)).toEqual({
      records: 5,
      oldest: "2026-03-01T00:00:00.000Z",
      newest: "2026-03-01T04:00:00.000Z",
      bytes: Buffer.byteLength(fileText()),
      withoutPayload: 0,
      unreadable: 0,
    });
  });
});

describe("wrong use is one sentence and exit code 1", () => {
  it.each([
    [["log", "find", "nowhere"], 'there are no records at "nowhere": no such file or folder'],
    [["log", "stats", tmpdir(), "--limit", "1"], /^unknown option --limit/],
    [["log", "find", "FOLDER", "--limit", "many"], '--limit must be a whole number, not "many"'],
    [["log", "find", "FOLDER", "--from", "yesterday"], /^--from must be a day such as 2026-03-01/],
    [["log", "find", "FOLDER", "--to", "2026-02-30"], /^--to must be a day such as 2026-03-01/],
    [["log", "find", "FOLDER", "--to", "2026-02-20T10:00"], /^--to must be a day such as 2026-03-01/],
    [
      ["log", "find", "FOLDER", "--subject", "C-200"],
      /^--subject needs the key of subjects: set DECERN_SUBJECT_KEY/,
    ],
    [
      ["log", "find", "FOLDER", "--subject", "C-200", "--key-file", "nowhere"],
      /^the key of subjects cannot be read/,
    ],
    [["log", "verify", "FOLDER", "--head", "abc"], /^--head must be sha256:/],
    [["log", "erase", "FOLDER"], "decern log erase needs --subject <person>"],
    [["log", "erase", "FILE", "--subject", `sha256:${"0".repeat(64)}`], /^nothing can be erased in /],
    [["log", "erase", "-", "--subject", `sha256:${"0".repeat(64)}`], /^nothing can be erased in "-"/],
    [
      ["log", "find", "postgres://nobody@127.0.0.1:1/none"],
      /^the database at 127\.0\.0\.1:1\/none cannot be read: .*ECONNREFUSED/,
    ],
    [["log", "find", "postgres://"], /^the database at .* cannot be read/],
  ])("decern %j", async (args, message) => {
    const places: Record<string, string> = { FOLDER: folder, FILE: join(folder, fileName) };
    const ended = await decern(args.map((arg) => places[arg] ?? arg));
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    const [line = "", ...rest] = ended.stderr.split("\n");
    expect(rest).toEqual([""]);
    expect(line.replace(/^decern: /, "")).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
  });

  it("a folder without records is not taken for one where all is well", async () => {
    const empty = temporaryFolder();
    const ended = await decern(["log", "verify", empty]);
    expect(ended).toEqual({ code: 1, stdout: "", stderr: `decern: the folder "${empty}" has no records\n` });
    writeFileSync(join(empty, "march.ndjson"), fileText());
    expect((await decern(["log", "verify", empty])).stderr).toContain(`pass the files themselves`);
    writeFileSync(join(empty, "nothing.ndjson"), "");
    expect((await decern(["log", "verify", join(empty, "march.ndjson")])).code).toBe(0);
    const emptied = { code: 1, stdout: "", stderr: "decern: found no record to verify\n" };
    expect(await decern(["log", "verify", join(empty, "nothing.ndjson")])).toEqual(emptied);
    const head = String(recordsIn(fileText()).at(-1)?.["hash"]);
    writeFileSync(join(folder, fileName), "");
    expect(await decern(["log", "verify", folder])).toEqual(emptied);
    expect((await decern(["log", "verify", folder, "--head", head])).code).toBe(2);
  });
});
