import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DecernError, defineDecision, type SourceHost, type SourceWatch } from "@decern/core";
import { hasForbiddenKey } from "@decern/core/host";
import { createGeneration } from "@decern/core/tools";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { recordingWatcher } from "../../../test/support/recording-watcher.js";
import { watchProfiles } from "../src/index.js";

const loan = defineDecision({
  id: "loan",
  version: "1.2.0",
  inputSchema: z.object({ score: z.number() }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({ minScore: z.number().default(600) }),
  rules: [{ id: "all", when: () => true, emit: () => ({ approved: true }) }],
});

let folder = "";
const watches: SourceWatch[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-profiles-"));
});

afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
  rmSync(folder, { recursive: true, force: true });
});

function watchFile(file: string, host: SourceHost): SourceWatch {
  const watch = watchProfiles({ file, everyMs: 100 }).watch(host);
  watches.push(watch);
  return watch;
}

function write(file: string, document: unknown): string {
  const path = join(folder, file);
  writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
  return path;
}

describe("a file of profiles", () => {
  it("is read and accepted before watch() returns", async () => {
    const host = recordingWatcher();
    const watch = watchFile(write("p.json", { loan: { minScore: 620 } }), host);
    expect(watch.isReady).toBe(true);
    expect(host.accepted).toEqual([{ profiles: { loan: { minScore: 620 } }, revision: undefined }]);
    expect(host.loads).toEqual([{ outcome: "loaded", revision: undefined }]);
    await watch.first;
  });

  it("gives a host every problem in one error before watch() returns", async () => {
    const loads: unknown[] = [];
    const host: SourceHost = {
      accept: ({ profiles }) => void createGeneration([loan], profiles),
      onLoad: (load) => loads.push(load),
    };
    const file = write("p.json", { loan: { minScore: "x" }, lone: {} });
    const watch = watchFile(file, host);
    expect(watch.isReady).toBe(false);
    const problems = [{ path: "/profiles/lone" }, { path: "/profiles/loan/minScore" }];
    expect(loads).toMatchObject([{ outcome: "failed", error: { code: "INVALID_OPTIONS", problems } }]);
    await expect(watch.first).rejects.toMatchObject({ problems });
    write("p.json", { loan: { minScore: 1 } });
    await expect.poll(() => watch.isReady).toBe(true);
  });

  it("may be a fleet's document", () => {
    const host = recordingWatcher();
    watchFile(write("p.json", { revision: "42", profiles: { loan: {} } }), host);
    expect(host.accepted).toEqual([{ profiles: { loan: {} }, revision: "42" }]);
    expect(host.loads).toEqual([{ outcome: "loaded", revision: "42" }]);
  });

  it.each([
    ["another key", { revision: "42", profiles: {}, loan: {} }],
    ["a revision that is no string", { revision: 42, profiles: {} }],
    ["profiles that are no object", { revision: "42", profiles: [] }],
  ])("is a plain map with %s", (_what, document) => {
    const host = recordingWatcher();
    watchFile(write("p.json", document), host);
    expect(host.accepted).toEqual([{ profiles: document, revision: undefined }]);
  });

  it("changes as a mounted ConfigMap does, by a swap of links", async () => {
    const publish = (version: string, document: unknown): void => {
      mkdirSync(join(folder, `..${version}`));
      write(`..${version}/p.json`, document);
      symlinkSync(`..${version}`, join(folder, "..data_tmp"));
      renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
    };
    publish("2026_01", { loan: { minScore: 1 } });
    symlinkSync(join("..data", "p.json"), join(folder, "p.json"));
    const host = recordingWatcher();
    watchFile(join(folder, "p.json"), host);
    publish("2026_02", { loan: { minScore: 2 } });
    rmSync(join(folder, "..2026_01"), { recursive: true });
    await expect.poll(() => host.accepted.length).toBe(2);
    publish("2026_03", { loan: { minScore: 3 } });
    await expect.poll(() => host.accepted.length).toBe(3);
    expect(host.accepted.map(({ profiles }) => profiles["loan"])).toEqual([
      { minScore: 1 },
      { minScore: 2 },
      { minScore: 3 },
    ]);
    expect(host.outcomes()).toEqual(["loaded", "loaded", "loaded"]);
  });

  it("changes by a rename over it", async () => {
    const host = recordingWatcher();
    const file = write("p.json", { loan: { minScore: 1 } });
    watchFile(file, host);
    renameSync(write("p.json.new", { loan: { minScore: 2 } }), file);
    await expect.poll(() => host.accepted.length).toBe(2);
    expect(host.outcomes()).toEqual(["loaded", "loaded"]);
  });

  it("keeps the last good set while it is torn, and loads it when it is whole", async () => {
    const host = recordingWatcher();
    const file = write("p.json", { loan: { minScore: 1 } });
    watchFile(file, host);
    write("p.json", '{"loan":{"minSc');
    await expect.poll(host.outcomes).toEqual(["loaded", "failed"]);
    expect(host.errors()[0]).toContain(`file "${file}" is not valid JSON`);
    expect(host.accepted).toHaveLength(1);
    write("p.json", { loan: { minScore: 2 } });
    await expect.poll(host.outcomes).toEqual(["loaded", "failed", "loaded"]);
    expect(host.accepted[1]?.profiles).toEqual({ loan: { minScore: 2 } });
  });

  it("reports that it is back with the set in use, which is not accepted again", async () => {
    const host = recordingWatcher();
    const file = write("p.json", { revision: "1", profiles: {} });
    watchFile(file, host);
    rmSync(file);
    await expect.poll(() => host.outcomes()[1]).toBe("failed");
    expect(host.errors()[0]).toContain(`file "${file}" cannot be read (ENOENT)`);
    write("p.json", { revision: "1", profiles: {} });
    await expect.poll(() => host.loads.at(-1)).toEqual({ outcome: "loaded", revision: "1" });
    expect(host.accepted).toHaveLength(1);
  });

  it("may come later than the host", async () => {
    const host = recordingWatcher();
    const watch = watchFile(join(folder, "p.json"), host);
    expect(host.outcomes()).toEqual(["failed"]);
    await expect(watch.first).rejects.toMatchObject({ code: "PROFILES_NOT_LOADED", statusCode: 503 });
    write("p.json", {});
    await expect.poll(() => watch.isReady).toBe(true);
  });

  it.each([
    ["[]", "must have an object"],
    ["null", "must have an object"],
    ["", "is not valid JSON"],
    ['{"loan":{"\\u005f_proto__":{}}}', "has a forbidden key"],
    ['{"loan":{"constructor":{"prototype":{}}}}', "has a forbidden key"],
    [
      '{"revision":"1","profiles":{},"activateAt":"2030-01-01T00:00:00"}',
      "has a wrong activateAt: it must be an instant with its time zone",
    ],
    [
      '{"revision":"1","profiles":{},"activateAt":1893456000000}',
      "has a wrong activateAt: it must be an instant with its time zone",
    ],
  ])("is refused with the text %s", (text, message) => {
    const host = recordingWatcher();
    const file = write("p.json", text);
    watchFile(file, host);
    expect(host.errors()).toEqual([expect.stringContaining(`file "${file}" ${message}`)]);
    expect(host.accepted).toEqual([]);
  });

  it("is refused when it is a folder, is too large or is not UTF-8", () => {
    const host = recordingWatcher();
    watchFile(folder, host);
    const large = write("large.json", "");
    truncateSync(large, 10 * 1024 * 1024 + 1);
    watchFile(large, host);
    const latin1 = write("latin1.json", "");
    writeFileSync(latin1, Buffer.from('{"é":{}}', "latin1"));
    watchFile(latin1, host);
    expect(host.errors().map((error) => error.split('" ')[1])).toEqual([
      "is not a regular file",
      "is larger than 10 MiB",
      "is not valid UTF-8",
    ]);
  });

  it("is accepted as JSON reads it, if it is an object without forbidden keys, and refused otherwise", () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, marked) => {
        const host = recordingWatcher();
        watchFile(write("p.json", marked ? `\uFEFF${text}` : text), host);
        const value: unknown = JSON.parse(text);
        const isDocument = typeof value === "object" && value !== null && !Array.isArray(value);
        const expected = isDocument && !hasForbiddenKey(value) && !("wrong" in value) ? [value] : [];
        expect(host.accepted.map(({ profiles }) => profiles)).toEqual(expected);
        expect(host.outcomes()).toEqual([expected.length === 1 ? "loaded" : "failed"]);
        void watches.pop()?.stop();
      }),
    );
  });

  it("is refused as an option where there is no file system", () => {
    vi.stubGlobal("process", undefined);
    try {
      expect(() => watchProfiles({ file: "p.json" })).toThrow(DecernError);
      expect(() => watchProfiles({ file: "p.json" })).toThrow(/\/file: needs process.getBuiltinModule/);
      expect(() => watchProfiles({ load: () => undefined })).not.toThrow();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("keeps no process alive between loads", () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const file = write("p.json", {});
    const before = timers();
    watchFile(file, recordingWatcher());
    expect(timers()).toBe(before);
  });

  it("is read by each host by itself", () => {
    const source = watchProfiles({ file: write("p.json", {}) });
    const hosts = [recordingWatcher(), recordingWatcher()];
    watches.push(...hosts.map((host) => source.watch(host)));
    expect(hosts.map(({ accepted }) => accepted.length)).toEqual([1, 1]);
    expect(hosts[0]?.accepted[0]?.profiles).not.toBe(hosts[1]?.accepted[0]?.profiles);
  });
});
