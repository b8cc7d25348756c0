import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvaluator, withProfile } from "@decern/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditTable, headsOf, outcomeOf } from "../../../../test/support/audit-table.js";
import { canonicalText, sha256 } from "../../../../test/support/sealed-records.js";
import { decisionLog, ndjsonFiles } from "../../src/index.js";
import { greeting } from "../support/decisions.js";
import { quietLogger } from "../support/recording-logger.js";

/** A line of any kind, to be taken apart and put together. */
interface Line {
  [member: string]: unknown;
  payload?: { readonly salt: string; readonly input: { name: string } } | null;
  erasure?: object;
}

let root: string;
let original: string;
let heads: readonly string[];

const names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kay", "Lou"];

/** Two lanes at once. In the first, three files of four records; one person is erased, to whom all records of the second belong. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "decern-manipulated-"));
  original = join(root, "original");
  const open = () => {
    const store = ndjsonFiles(original, { rotateBytes: 3600 });
    const subject = { key: "a key of sixteen bytes, or more", of: { greeting: nameOf } };
    return decisionLog({ store, subject, logger: quietLogger() });
  };
  const [first, second] = [open(), open()];
  const write = async (log: typeof first, name: string) => {
    const evaluator = createEvaluator({ log, clock: { now: Date.now, monotonic: () => 0 } });
    await evaluator.evaluate(withProfile(greeting, { polite: true }), { input: { name } });
    await log.flush();
  };
  for (const name of names) await write(first, name);
  for (let count = 0; count < 3; count += 1) await write(second, "Zoe");
  await first.erase({ subject: "Zoe" });
  await first.erase({ subject: "Lou" });
  await first.close();
  await second.close();
  expect(await readdir(original)).toEqual(
    ["0-00000001", "1-00000001", "1-00000002", "1-00000003", "2-00000001"].map((name) => `${name}.ndjson`),
  );
  const verification = await check(original);
  expect(verification).toMatchObject({ ok: true, records: 15, problems: [] });
  heads = headsOf(verification);
  expect(heads).toHaveLength(3);
});

afterAll(() => rm(root, { recursive: true, force: true }));

function nameOf(input: unknown): string {
  return `${Reflect.get(Object(input), "name")}`;
}

function check(directory: string, given: readonly string[] = []) {
  return decisionLog({ store: ndjsonFiles(directory), logger: quietLogger() }).verify({ heads: given });
}

/** What somebody does to a folder. */
class Folder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async bytes(name: string, change: (text: string) => string): Promise<void> {
    const path = join(this.path, `${name}.ndjson`);
    await writeFile(path, change(await readFile(path, "utf8")));
  }

  /** Every line apart, also in lines that are changed into several. */
  texts(name: string, change: (lines: string[]) => unknown): Promise<void> {
    return this.bytes(name, (text) => {
      const lines = text.trimEnd().split("\n");
      change(lines);
      return lines.map((line) => `${line}\n`).join("");
    });
  }

  lines(name: string, change: (lines: Line[]) => unknown): Promise<void> {
    return this.texts(name, (texts) => {
      const lines = texts.map((text) => JSON.parse(text));
      change(lines);
      texts.splice(0, texts.length, ...lines.map(canonicalText));
    });
  }

  /** The lines of records; `change` may return others. */
  records(name: string, change: (records: Line[]) => unknown): Promise<void> {
    return this.lines(name, (lines) => {
      const records = lines.filter(isRecord);
      change(records);
      lines.splice(0, lines.length, ...lines.filter((line) => !isRecord(line)), ...records);
    });
  }

  profiles(name: string, change: (profiles: Line[]) => unknown): Promise<void> {
    return this.lines(name, (lines) => {
      const profiles = lines.filter((line) => "profile" in line);
      change(profiles);
      lines.splice(0, lines.length, ...profiles, ...lines.filter(isRecord));
    });
  }

  async names(): Promise<readonly string[]> {
    return (await readdir(this.path)).map((name) => name.replace(".ndjson", ""));
  }

  remove(name: string): Promise<void> {
    return rm(join(this.path, `${name}.ndjson`));
  }

  rename(from: string, to: string): Promise<void> {
    return rename(join(this.path, `${from}.ndjson`), join(this.path, to));
  }
}

function profileLine(profile: unknown): Line {
  return { recordVersion: 1, profile, profileHash: sha256(canonicalText(profile)) };
}

function isRecord(line: Line): boolean {
  return "recordId" in line;
}

const [first, middle, last] = ["1-00000001", "1-00000002", "1-00000003"] as const;
const firstLane = [first, middle, last];

function payloadHash({ salt, ...content }: NonNullable<Line["payload"]>): string {
  const bytes = Buffer.concat([Buffer.from(salt, "base64url"), Buffer.from(canonicalText(content))]);
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Makes the hashes of a line right. */
function seal(line: Line, previousHash: unknown): Line {
  const { payload, hash: _, ...rest } = line;
  const chained: Line = rest;
  if (payload) chained["payloadHash"] = payloadHash(payload);
  chained["previousHash"] = previousHash;
  return { ...chained, ...(payload !== undefined && { payload }), hash: sha256(canonicalText(chained)) };
}

/** A record that was never written. */
function forge(record: Line | undefined, previousHash: unknown, recordId?: string): Line {
  const { salt = "" } = record?.payload ?? {};
  const payload = { salt, input: { name: "Nobody" } };
  return seal({ ...record, payload, ...(recordId !== undefined && { recordId }) }, previousHash);
}

const otherId = "01920f6e-7f3a-7c44-9d0e-3c1f6a2b9e55";
const swap = (list: object[], a: number, b: number, ...members: readonly string[]): void => {
  const [one = {}, other = {}] = [list[a], list[b]];
  for (const member of members) {
    const kept: unknown = Reflect.get(one, member);
    Reflect.set(one, member, Reflect.get(other, member));
    Reflect.set(other, member, kept);
  }
};
const at = (list: readonly Line[], index: number): Line => {
  const line = list.at(index);
  if (line === undefined) throw new Error(`there is no line ${index}`);
  return line;
};
const payloadAt = (list: readonly Line[], index: number): NonNullable<Line["payload"]> => {
  const { payload } = at(list, index);
  if (!payload) throw new Error(`record ${index} has no payload`);
  return payload;
};
const removeAll = async (folder: Folder, isMeant: (name: string) => boolean): Promise<void> => {
  for (const name of await folder.names()) if (isMeant(name)) await folder.remove(name);
};

type Manipulation = readonly [name: string, manipulate: (folder: Folder) => Promise<unknown>];

const manipulations: Readonly<Record<string, readonly Manipulation[]>> = {
  "changes, removes, inserts, copies or moves a record": [
    ["changed status", (f) => f.records(middle, (all) => (at(all, 1)["status"] = "NO_MATCH"))],
    [
      "changed, with its own hash",
      (f) => f.records(middle, (all) => all.splice(1, 1, forge(all[1], at(all, 1)["previousHash"]))),
    ],
    ["added member", (f) => f.records(middle, (all) => (at(all, 1)["note"] = "x"))],
    [
      "emptied list of what is masked",
      (f) => f.records(middle, (all) => (at(all, 1)["masked"] = ["/input"])),
    ],
    ["removed from the middle", (f) => f.records(middle, (all) => all.splice(1, 1))],
    ["removed first", (f) => f.records(first, (all) => all.shift())],
    ["removed first of a file", (f) => f.records(middle, (all) => all.shift())],
    ["exchanged with the next", (f) => f.records(middle, (all) => all.splice(1, 2, at(all, 2), at(all, 1)))],
    ["copied", (f) => f.records(middle, (all) => all.splice(1, 0, at(all, 1)))],
    [
      "inserted",
      (f) => f.records(middle, (all) => all.splice(1, 0, forge(all[0], at(all, 0)["hash"], otherId))),
    ],
  ],
  "changes or exchanges payloads or salts": [
    ["changed payload", (f) => f.records(middle, (all) => (payloadAt(all, 1).input.name = "Eve"))],
    [
      "changed payload with its hash",
      (f) =>
        f.records(middle, (all) => {
          payloadAt(all, 1).input.name = "Eve";
          at(all, 1)["payloadHash"] = payloadHash(payloadAt(all, 1));
        }),
    ],
    ["exchanged payloads", (f) => f.records(middle, (all) => swap(all, 1, 2, "payload"))],
    [
      "exchanged payloads and their hashes",
      (f) => f.records(middle, (all) => swap(all, 1, 2, "payload", "payloadHash")),
    ],
    [
      "exchanged salts",
      (f) => f.records(middle, (all) => swap([payloadAt(all, 1), payloadAt(all, 2)], 0, 1, "salt")),
    ],
    [
      "payload that is there twice",
      (f) => f.bytes(middle, (text) => text.replace(',"payload":', ',"payload":{"input":{}},"payload":')),
    ],
  ],
  "adds, damages or cuts off a line": [
    ["blank", (f) => f.texts(middle, (all) => all.splice(2, 0, ""))],
    ["no JSON", (f) => f.texts(middle, (all) => all.splice(2, 0, "not a record"))],
    ["other JSON", (f) => f.texts(middle, (all) => all.splice(2, 0, '{"note":"hello"}'))],
    ["white space", (f) => f.texts(middle, (all) => all.splice(2, 1, `${all[2]} `))],
    ["line breaks of Windows", (f) => f.bytes(middle, (text) => text.replaceAll("\n", "\r\n"))],
    ["cut at the end", (f) => f.bytes(last, (text) => text.slice(0, -200))],
    ["cut at the end of a file before it", (f) => f.bytes(middle, (text) => text.slice(0, -200))],
    ["without the last line break", (f) => f.bytes(last, (text) => text.slice(0, -1))],
  ],
  "removes or exchanges files before the last of a chain": [
    ["first", (f) => f.remove(first)],
    ["middle", (f) => f.remove(middle)],
    ["other name", (f) => f.rename(middle, `${middle}.ndjson.bak`)],
    [
      "exchanged",
      async (f) => {
        await f.rename(first, "kept");
        await f.rename(middle, `${first}.ndjson`);
        await rename(join(f.path, "kept"), join(f.path, `${middle}.ndjson`));
      },
    ],
  ],
  "changes or removes a profile of the host": [
    ["changed", (f) => f.profiles(middle, (all) => (at(all, 0)["profile"] = {}))],
    [
      "changed, with its hash",
      (f) =>
        f.profiles(middle, (all) =>
          all.splice(0, 1, { recordVersion: 1, profile: {}, profileHash: sha256("{}") }),
        ),
    ],
    ["removed from a file", (f) => f.profiles(middle, (all) => all.splice(0))],
    [
      "removed from all files",
      async (f) => {
        for (const name of firstLane) await f.profiles(name, (all) => all.splice(0));
      },
    ],
    ["another before it", (f) => f.profiles(first, (all) => all.unshift({ ...all[0], profile: {} }))],
    [
      "profile that is there twice",
      (f) => f.bytes(first, (text) => text.replace('{"profile":', '{"profile":{},"profile":')),
    ],
    ["moved behind a record", (f) => f.texts(first, (all) => all.splice(0, 2, `${all[1]}`, `${all[0]}`))],
  ],
  "removes payloads without an erasure, or changes or removes an erasure": [
    ["one payload", (f) => f.records(middle, (all) => (at(all, 1)["payload"] = null))],
    [
      "one payload, as an erasure leaves it",
      (f) =>
        f.bytes(middle, (text) =>
          text.replace(
            /"payload":\{.*\},"payloadHash"/,
            (all) => `${'"payload":null'.padEnd(all.length - 14)},"payloadHash"`,
          ),
        ),
    ],
    [
      "every payload",
      async (f) => {
        for (const name of firstLane)
          await f.records(name, (all) =>
            all.splice(0, all.length, ...all.map((record) => ({ ...record, payload: null }))),
          );
      },
    ],
    ["count of an erasure", (f) => f.lines("0-00000001", (all) => (at(all, 0).erasure = { records: 99 }))],
    [
      "person of an erasure",
      (f) =>
        f.lines("0-00000001", (all) =>
          all.splice(
            1,
            1,
            seal(
              { ...all[1], erasure: { ...at(all, 1).erasure, subject: sha256("Eve") } },
              at(all, 0)["hash"],
            ),
          ),
        ),
    ],
    ["first erasure", (f) => f.lines("0-00000001", (all) => all.shift())],
    ["last erasure", (f) => f.lines("0-00000001", (all) => all.pop())],
    ["all erasures", (f) => f.remove("0-00000001")],
  ],
  "appends a record with an id that exists": [
    ["to its chain", (f) => f.records(last, (all) => all.push(forge(all[0], at(all, -1)["hash"])))],
    [
      "in another chain",
      (f) => f.records("2-00000001", async (all) => all.push(seal({ ...all[0] }, at(all, -1)["hash"]))),
    ],
  ],
  "removes the end of a chain, or a whole chain": [
    ["last record", (f) => f.records(last, (all) => all.pop())],
    ["last file", (f) => f.remove(last)],
    ["a chain", (f) => f.remove("2-00000001")],
    ["every chain", (f) => removeAll(f, () => true)],
  ],
  "changes records and computes all later hashes anew": [
    [
      "one",
      async (f) => {
        let previous: unknown = null;
        for (const name of firstLane)
          await f.records(name, (all) => {
            if (name === middle) payloadAt(all, 1).input.name = "Eve";
            for (const [index, record] of all.entries()) {
              all[index] = seal(record, previous);
              previous = all[index]?.["hash"];
            }
          });
      },
    ],
  ],
  "appends records, or adds a chain": [
    ["a record", (f) => f.records(last, (all) => all.push(forge(all[0], at(all, -1)["hash"], otherId)))],
    [
      "a chain",
      async (f) => {
        await cp(join(f.path, `${first}.ndjson`), join(f.path, "9-00000001.ndjson"));
        await f.records("9-00000001", (all) => all.splice(0, all.length, forge(all[0], null, otherId)));
      },
    ],
  ],
  "removes payloads and appends erasures that account for them": [
    [
      "one",
      async (f) => {
        let subject: unknown;
        await f.records(middle, (all) => {
          at(all, 1)["payload"] = null;
          subject = at(all, 1)["subject"];
        });
        const erasure = { erasedAt: new Date().toISOString(), records: 1, subject };
        await f.lines("0-00000001", (all) =>
          all.push(seal({ recordVersion: 1, erasure }, at(all, -1)["hash"])),
        );
      },
    ],
  ],
  "adds profiles, or removes one that only erased records need": [
    ["again", (f) => f.profiles(last, (all) => all.push(at(all, 0)))],
    ["one that no record needs", (f) => f.profiles(last, (all) => all.push(profileLine({ folder: "x" })))],
    ["from a file", (f) => f.profiles("2-00000001", (all) => all.splice(0))],
  ],
  "renumbers the files of a chain": [["its only one", (f) => f.rename("2-00000001", "7-00000001.ndjson")]],
};

const claimed = auditTable();

it("the page for auditors lists what is tried here, and what is tried in PostgreSQL", () => {
  const inDatabase = "changes a column of PostgreSQL that searches use";
  expect([...claimed.keys()].filter((what) => what !== inDatabase)).toEqual(Object.keys(manipulations));
});

const cases = Object.entries(manipulations).flatMap(([what, list]) =>
  list.map(([name, manipulate]) => [what, name, manipulate] as const),
);

it.each(cases)("%s: %s", async (what, _name, manipulate) => {
  const path = await mkdtemp(join(root, "copy-"));
  await cp(original, path, { recursive: true });
  await manipulate(new Folder(path));
  const alone = await check(path);
  const withHeads = await check(path, heads);
  expect([outcomeOf(alone), outcomeOf(withHeads)], JSON.stringify(alone.problems)).toEqual(claimed.get(what));
});
