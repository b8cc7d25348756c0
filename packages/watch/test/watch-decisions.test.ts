import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DecernError,
  type DecisionContract,
  type DecisionHost,
  type LoadedSet,
  type Problem,
  type SourceLoad,
  type SourceWatch,
} from "@decern/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { feeContract } from "../../../test/support/fee-contract.js";
import { type DecisionSet, type WatchDecisionsOptions, watchDecisions } from "../src/index.js";

const contracts = [feeContract("post"), feeContract("air")];

const feeOf = (table: string, version: string, fee: number) => ({ table, version, fee });

let folder = "";
const watches: SourceWatch[] = [];
const stops: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-decisions-"));
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
  for (const stop of stops.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

function write(file: string, content: unknown): string {
  const path = join(folder, file);
  writeFileSync(`${path}.new`, typeof content === "string" ? content : JSON.stringify(content));
  renameSync(`${path}.new`, path);
  return path;
}

/** A host that keeps what it is given, and refuses a set with profiles that have `wrong`. */
class Host implements DecisionHost {
  candidate(): undefined {}

  readonly sets: LoadedSet[] = [];
  readonly loads: SourceLoad[] = [];

  accept(set: LoadedSet): void {
    if (set.profiles !== undefined && "wrong" in set.profiles) throw new DecernError("INVALID_OPTIONS");
    this.sets.push(set);
  }

  onLoad(load: SourceLoad): void {
    this.loads.push(load);
  }

  /** `id@version` of each decision of each set. */
  get versions(): readonly (readonly string[])[] {
    return this.sets.map(({ decisions = [] }) => decisions.map(({ id, version }) => `${id}@${version}`));
  }

  get problems(): readonly string[] {
    return this.loads.flatMap((load) => {
      if (load.outcome !== "failed" || !(load.error instanceof DecernError)) return [];
      const { problems, message } = load.error;
      return problems.length === 0 ? [message] : problems.map((one) => `${one.path}: ${one.message}`);
    });
  }
}

function watch(host: DecisionHost, options: WatchDecisionsOptions): SourceWatch {
  const watching = watchDecisions(options).watch(host);
  watches.push(watching);
  return watching;
}

describe("a file of decisions", () => {
  it("is one document, or a set of them with a revision, an instant and profiles", () => {
    const single = new Host();
    watch(single, { file: write("fee.json", feeOf("post", "1", 4)), contracts: [feeContract("post")] });
    expect(single.sets).toMatchObject([{ source: "file", revision: expect.stringMatching(/^sha256:/) }]);
    expect(single.versions).toEqual([["post@1"]]);
    const several = new Host();
    const set = {
      revision: "7",
      activateAt: "2020-01-01T00:00:00Z",
      decisions: [feeOf("air", "2", 9), feeOf("post", "1", 4)],
      profiles: { post: { limit: 3 } },
    };
    watch(several, { file: write("set.json", set), contracts });
    expect(several.versions).toEqual([["post@1", "air@2"]]);
    expect(several.sets).toMatchObject([
      { revision: "7", activateAtMs: Date.UTC(2020, 0, 1), profiles: { post: { limit: 3 } } },
    ]);
  });

  it.each([
    ["nothing of a contract", { decisions: [feeOf("post", "1", 4)] }, ["/decisions/air: is missing"]],
    [
      "what no contract holds",
      { decisions: [feeOf("post", "1", 4), feeOf("air", "1", 4), feeOf("rail", "1", 4)] },
      ["/decisions: set.json, decision 3 has no decision of post, air"],
    ],
    [
      "a decision that is wrong, with the place",
      { decisions: [feeOf("post", "1", 4), { table: "air", version: "1", fee: "nine" }] },
      ["/decisions/air/fee: Invalid input: expected number, received string"],
    ],
    ["a revision that is no text", { revision: 7, decisions: [] }, [/has a wrong revision/]],
    ["an instant without a time zone", { activateAt: "2027-01-01T00:00:00" }, [/has a wrong activateAt/]],
    ["profiles that are a list", { profiles: [] }, [/has wrong profiles/]],
    ["decisions that are no list", { decisions: {} }, [/has wrong decisions/]],
    ["JSON that is torn", '{"decisions": [', [/is not valid JSON/]],
  ])("is rejected for %s", (_what, content, problems) => {
    const host = new Host();
    const file = write("set.json", content);
    const watching = watch(host, { file, contracts });
    expect(watching.isReady).toBe(false);
    const found = host.problems.map((problem) => problem.replace(`${folder}/`, ""));
    expect(found).toEqual(problems.map((one) => (one instanceof RegExp ? expect.stringMatching(one) : one)));
  });
});

describe("a folder of decisions", () => {
  it.each([
    [
      "post.json",
      '{"table": "po',
      /^Decisions could not be loaded: post\.json in folder ".*" is not valid JSON$/,
    ],
    ["set.json", { revision: 7 }, /: set\.json in folder ".*" has a wrong revision/],
  ])("names the file that is wrong: %s", (name, content, message) => {
    write(name, content);
    const host = new Host();
    watch(host, { folder, contracts });
    expect(host.problems).toEqual([expect.stringMatching(message)]);
  });

  it("is one set, and changes as a mounted ConfigMap does", async () => {
    const publish = (name: string, files: Readonly<Record<string, unknown>>): void => {
      mkdirSync(join(folder, `..${name}`));
      for (const [file, content] of Object.entries(files)) write(`..${name}/${file}`, content);
      symlinkSync(`..${name}`, join(folder, "..data_tmp"));
      renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
    };
    const filesOf = (version: string) => ({
      "post.json": feeOf("post", version, 1),
      "air.json": feeOf("air", version, 2),
      "set.json": { revision: version },
      "notes.txt": "not read",
    });
    publish("1", filesOf("1"));
    for (const file of Object.keys(filesOf(""))) symlinkSync(join("..data", file), join(folder, file));
    const host = new Host();
    watch(host, { folder, contracts, everyMs: 100 });
    expect(host.versions).toEqual([["post@1", "air@1"]]);
    for (const version of ["2", "3"]) {
      publish(version, filesOf(version));
      rmSync(join(folder, `..${Number(version) - 1}`), { recursive: true });
      await expect.poll(() => host.versions.at(-1)).toEqual([`post@${version}`, `air@${version}`]);
    }
    expect(host.loads).toEqual(["1", "2", "3"].map((revision) => ({ outcome: "loaded", revision })));
  });

  it("is rejected with two documents for the set", () => {
    write("a.json", { revision: "1" });
    write("b.json", { revision: "2" });
    const host = new Host();
    watch(host, { folder, contracts });
    expect(host.problems).toEqual([expect.stringContaining("two documents for the set, a.json and b.json")]);
  });
});

it("are loaded from a URL with its ETag, and not again while that is the same", async () => {
  const seen: IncomingMessage["headers"][] = [];
  let version = "1";
  const server = createServer(({ headers }, response) => {
    seen.push(headers);
    const etag = `"${version}"`;
    if (headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.setHeader("etag", etag).end(JSON.stringify(feeOf("post", version, Number(version))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/fee.json`;
  const host = new Host();
  const only = [feeContract("post")];
  watch(host, { url, contracts: only, everyMs: 100 });
  await expect.poll(() => seen.length).toBeGreaterThan(2);
  expect(host.versions).toEqual([["post@1"]]);
  version = "2";
  await expect.poll(() => host.versions).toEqual([["post@1"], ["post@2"]]);
  expect(seen[1]?.["if-none-match"]).toBe('"1"');
});

/** A host that loads what a test returns, each minute. */
async function loading(
  first: DecisionSet,
  options: Partial<Pick<WatchDecisionsOptions, "contract" | "keepVersions" | "sameVersion">>,
) {
  vi.useFakeTimers({ now: Date.parse("2027-01-01T12:00:00Z") });
  let set = first;
  const host = new Host();
  const load = (): DecisionSet => set;
  watch(host, { load, contracts: [feeContract("post")], everyMs: 60_000, ...options });
  await vi.advanceTimersByTimeAsync(0);
  const publish = async (next: DecisionSet): Promise<void> => {
    set = next;
    await vi.advanceTimersByTimeAsync(60_000);
  };
  return { host, publish };
}

const setOf = (version: string, fee = 1, more: object = {}): DecisionSet => ({
  decisions: [{ name: "row", document: feeOf("post", version, fee) }],
  ...more,
});

describe("schemas of a decision", () => {
  const other = { decisions: [{ name: "row", document: { ...feeOf("post", "2", 1), most: 5 } }] };
  it("must stay as they are, unless the host allows others", async () => {
    const strict = await loading(setOf("1"), {});
    await strict.publish(other);
    expect(strict.host.problems).toEqual([
      "/decisions/post: has other schemas than the version that is in use",
    ]);
    await strict.publish(setOf("2", 2));
    expect(strict.host.versions).toEqual([["post@1"], ["post@2"]]);
    const free = await loading(setOf("1"), { contract: "any" });
    await free.publish(other);
    expect(free.host.versions).toEqual([["post@1"], ["post@2"]]);
  });
});

describe("versions of a decision", () => {
  it("must change with its content", async () => {
    const { host, publish } = await loading(setOf("1", 1), {});
    await publish(setOf("1", 2));
    expect(host.problems).toEqual([
      "/decisions/post: has other content than the version 1 that is in use; give it a new version",
    ]);
    expect(host.sets).toHaveLength(1);
    await publish(setOf("2", 2));
    expect(host.versions).toEqual([["post@1"], ["post@2"]]);
  });

  it("may have other content where the host allows it", async () => {
    const { host, publish } = await loading(setOf("1", 1), { sameVersion: "allow", keepVersions: 2 });
    await publish(setOf("1", 2));
    expect(host.versions).toEqual([["post@1"], ["post@1"]]);
    expect(host.problems).toEqual([]);
  });

  it("stay for as many as the host keeps, the newest first, and keep the same object while nothing changes", async () => {
    const { host, publish } = await loading(setOf("1"), { keepVersions: 2 });
    for (const version of ["2", "3", "4"]) await publish(setOf(version));
    expect(host.versions.at(-1)).toEqual(["post@4", "post@3", "post@2"]);
    // Back to a version that is kept.
    await publish(setOf("3"));
    expect(host.versions.at(-1)).toEqual(["post@3", "post@4", "post@2"]);
    const [decision] = host.sets.at(-1)?.decisions ?? [];
    expect(decision).toBe(host.sets[2]?.decisions?.[0]);
  });

  it("are kept once they were used, not while they wait for their instant", async () => {
    const later = { activateAt: "2027-01-01T12:30:00Z" };
    const { host, publish } = await loading(setOf("1"), { keepVersions: 1 });
    await publish(setOf("2", 1, later));
    await publish(setOf("3", 1, later));
    expect(host.versions.at(-1)).toEqual(["post@3", "post@1"]);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    await publish(setOf("4"));
    expect(host.versions.at(-1)).toEqual(["post@4", "post@3"]);
    expect(host.loads.map(({ outcome }) => outcome)).toEqual([
      "loaded",
      "scheduled",
      "scheduled",
      "loaded",
      "loaded",
    ]);
  });
});

describe("what takes long to check", () => {
  type Check = NonNullable<DecisionContract["check"]>;
  const overlap = { path: "/rules/1", message: "overlaps" };

  /** A file under a contract whose checks a test answers, one after the other. */
  function checked(first: Check) {
    const host = new Host();
    const path = write("set.json", feeOf("post", "1", 1));
    const checks: Check[] = [first];
    const seen: (readonly [made: readonly string[], signal: AbortSignal | undefined])[] = [];
    let load = (): void => {};
    const contract: DecisionContract = {
      ...feeContract("post"),
      check(made, signal) {
        seen.push([made.map(({ version }) => version), signal]);
        return checks.shift()?.(made, signal) ?? [];
      },
    };
    const watching = watch(host, {
      file: path,
      contracts: [contract],
      wake: (wake) => {
        load = wake;
        return undefined;
      },
    });
    const publish = (version: string, check: Check): void => {
      checks.push(check);
      write("set.json", feeOf("post", version, 1));
      load();
    };
    return { host, seen, watching, publish, load: () => load() };
  }

  it("is found before the first set is in use, and may block until then", () => {
    const { host, seen } = checked(() => [overlap]);
    expect(seen).toEqual([[["1"], undefined]]);
    expect(host.problems).toEqual(["/decisions/post/rules/1: overlaps"]);
    expect(host.sets).toEqual([]);
  });

  it("is waited for afterwards, and the set before stays: one report", async () => {
    const { host, seen, publish, load } = checked(() => []);
    expect(host.versions).toEqual([["post@1"]]);
    let answer = (_problems: readonly Problem[]): void => {};
    publish("2", () => new Promise((resolve) => (answer = resolve)));
    await expect.poll(() => seen).toHaveLength(2);
    expect(seen[1]).toEqual([["2"], expect.any(AbortSignal)]);
    load();
    answer([overlap]);
    await expect.poll(() => host.problems).toEqual(["/decisions/post/rules/1: overlaps"]);
    expect(host.versions).toEqual([["post@1"]]);
    // The set that was rejected is neither checked nor reported again.
    publish("3", () => new Promise((resolve) => (answer = resolve)));
    await expect.poll(() => seen.map(([made]) => made)).toEqual([["1"], ["2"], ["3"]]);
    answer([]);
    await expect.poll(() => host.versions).toEqual([["post@1"], ["post@3"]]);
    expect(host.loads.map(({ outcome }) => outcome)).toEqual(["loaded", "failed", "loaded"]);
  });

  it("is looked for again where the search failed", async () => {
    const { host, seen, publish, load } = checked(() => []);
    publish("2", () => Promise.reject(new Error("no memory")));
    await expect.poll(() => host.loads.map(({ outcome }) => outcome)).toEqual(["loaded", "failed"]);
    load();
    await expect.poll(() => host.versions).toEqual([["post@1"], ["post@2"]]);
    expect(seen.map(([made]) => made)).toEqual([["1"], ["2"], ["2"]]);
  });

  it("ends with the host, which hears no more", async () => {
    const { host, seen, watching, publish } = checked(() => []);
    publish(
      "2",
      (_made, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    );
    await expect.poll(() => seen).toHaveLength(2);
    await watching.stop();
    expect(host.loads.map(({ outcome }) => outcome)).toEqual(["loaded"]);
  });
});

it.each([
  [{ contracts }, "one of file, folder, url, load is required"],
  [{ contracts, file: "a", folder: "b" }, "file and folder contradict: give one"],
  [{ contracts: [], file: "a" }, "must be a list of at least one"],
  [{ contracts: [{}], file: "a" }, "is not a contract; make it with a package such as @decern/table"],
  [{ contracts: [contracts[0], contracts[0]], file: "a" }, '"post" is the id of an earlier contract'],
  [{ contracts, file: "a", keepVersions: -1 }, "must be a whole number from 1 to 2147483647"],
  [{ contracts, file: "a", sameVersion: "yes" }, 'must be "refuse" or "allow"'],
  [{ contracts, file: "a", contract: "other" }, 'must be "same" or "any"'],
])("watchDecisions(%j) is rejected", (options, message) => {
  const untyped: { options: WatchDecisionsOptions } = JSON.parse('{"options":null}');
  Reflect.set(untyped, "options", options);
  expect(() => watchDecisions(untyped.options)).toThrow(message);
});
