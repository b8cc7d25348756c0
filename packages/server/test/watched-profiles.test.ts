import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Decision, defineDecision, type SourceLoad } from "@decern/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type ProfileSet, watchProfiles } from "../../../test/support/watch.js";
import { createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { Arrivals, Deferred } from "./support/deferred.js";
import { recordingLogger } from "./support/recording-logger.js";

const mark = (id: string) =>
  defineDecision({
    id,
    version: "1",
    inputSchema: z.object({}),
    outputSchema: z.object({ set: z.number() }),
    profileSchema: z.object({ set: z.number() }),
    rules: [{ id: "only", when: () => true, emit: (_input, { set }) => ({ set }) }],
  });
const score = mark("score");
const rates = mark("rates");

/** Its answer has a mark of each profile that took part. */
const main = defineDecision({
  id: "main",
  version: "1",
  inputSchema: z.object({}),
  outputSchema: z.object({ sets: z.array(z.number()) }),
  profileSchema: z.object({ first: z.number(), second: z.number() }),
  uses: [score, rates],
  rules: [
    {
      id: "only",
      when: () => true,
      emit: (_input, { first, second }, context) => {
        const used = [score, rates].map((decision) => context.evaluate(decision, {}));
        return {
          sets: [first, second, ...used.map((result) => (result.status === "OK" ? result.data.set : -1))],
        };
      },
    },
  ],
});
const decisions = [main, score] as const;

/** All profiles of one set. */
const setOf = (set: number) => ({
  main: { first: set, second: set },
  "main#named": { first: set, second: set },
  score: { set },
  rates: { set },
});

let folder: string;
let file: string;
const open: DecisionServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-profiles-"));
  file = join(folder, "profiles.json");
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
  rmSync(folder, { recursive: true });
});

/** As tools replace a file: by another one, at once. */
function replaceFile(content: unknown): void {
  writeFileSync(`${file}.new`, typeof content === "string" ? content : JSON.stringify(content));
  renameSync(`${file}.new`, file);
}

/** Keeps how loads ended, and tells when the next one has. */
class Loads {
  readonly all: SourceLoad[] = [];
  readonly #arrivals = new Arrivals<SourceLoad>();

  get next(): Promise<SourceLoad> {
    return this.#arrivals.next;
  }

  onEvaluated(): void {}

  onProfilesLoaded(load: SourceLoad): void {
    this.all.push(load);
    this.#arrivals.add(load);
  }
}

function make(options: Omit<ServerOptions<typeof decisions>, "decisions">): DecisionServer {
  const server = createServer({ decisions, logger: false, profileOverride: false, ...options });
  open.push(server);
  return server;
}

function ask({ handler }: DecisionServer, url = "/decisions/main") {
  return handler.inject({ method: "POST", url, payload: { input: {} } });
}

describe("a first file", () => {
  it.each([
    ["is not there", undefined, ["/profiles"]],
    ["is not JSON", "{", ["/profiles"]],
    ["breaks a schema", { ...setOf(1), score: { set: "x" } }, ["/profiles/score/set"]],
    ["lacks a profile that is required", { main: setOf(1).main, rates: { set: 1 } }, ["/profiles/score"]],
    ["has a profile of nobody", { ...setOf(1), nobody: {} }, ["/profiles/nobody"]],
  ])("stops the start when it %s, together with all other problems", (_how, content, paths) => {
    if (content !== undefined) replaceFile(content);
    // TypeScript knows their versions.
    const unknown: readonly Decision[] = decisions;
    expect(() =>
      createServer({
        decisions: unknown,
        profiles: watchProfiles({ file }),
        profileOverride: false,
        bodyLimit: 0,
        shadow: { main: { version: "9" } },
      }),
    ).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        problems: expect.arrayContaining(
          [...paths, "/bodyLimit", "/shadow/main/version"].map((path) => expect.objectContaining({ path })),
        ),
      }),
    );
  });

  it("is in use when the server has been made", async () => {
    replaceFile({ revision: "7", profiles: setOf(7) });
    const loads = new Loads();
    const server = make({ profiles: watchProfiles({ file }), observers: [loads] });
    expect(loads.all).toEqual([{ outcome: "loaded", revision: "7" }]);
    expect((await server.handler.inject("/health/ready")).statusCode).toBe(200);
    expect((await ask(server)).json().data).toEqual({ sets: [7, 7, 7, 7] });
  });
});

describe("until a source has given its first set", () => {
  const refusal = { error: "Profiles could not be loaded", code: "PROFILES_NOT_LOADED" };

  it("evaluations and readiness are 503 with Retry-After, and everything else is served", async () => {
    const given = new Deferred<ProfileSet>();
    const loads = new Loads();
    const server = make({
      profiles: watchProfiles({ load: () => given.promise, timeoutMs: 60_000 }),
      observers: [loads],
    });
    for (const reply of [
      await ask(server),
      await ask(server, "/decisions/main/versions/1"),
      await server.handler.inject("/health/ready"),
    ]) {
      expect({
        statusCode: reply.statusCode,
        json: reply.json(),
        retryAfter: reply.headers["retry-after"],
      }).toEqual({ statusCode: 503, json: refusal, retryAfter: "1" });
    }
    for (const url of ["/", "/health/live", "/decisions", "/decisions/main/schema", "/docs/decisions/main"]) {
      expect({ url, statusCode: (await server.handler.inject(url)).statusCode }).toEqual({
        url,
        statusCode: 200,
      });
    }
    expect((await ask(server, "/decisions/nope")).statusCode).toBe(404);
    const { next } = loads;
    given.resolve({ profiles: setOf(3), revision: "3" });
    expect(await next).toEqual({ outcome: "loaded", revision: "3" });
    const ready = await server.handler.inject("/health/ready");
    expect({ statusCode: ready.statusCode, json: ready.json() }).toEqual({
      statusCode: 200,
      json: {
        status: "ready",
        profiles: { revision: "3", source: "load", since: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
    });
    const reply = await ask(server);
    expect({
      statusCode: reply.statusCode,
      retryAfter: reply.headers["retry-after"],
      sets: reply.json().data.sets,
    }).toEqual({ statusCode: 200, retryAfter: undefined, sets: [3, 3, 3, 3] });
  });

  it("a load that fails is logged and told to observers, and the next one may succeed", async () => {
    const loads = new Loads();
    const logger = recordingLogger();
    let works = false;
    const load = async (): Promise<ProfileSet> => {
      if (!works) throw new Error("no connection");
      return { profiles: setOf(4) };
    };
    const server = make({ profiles: watchProfiles({ load, everyMs: 100 }), observers: [loads], logger });
    expect((await loads.next).outcome).toBe("failed");
    expect(logger.entries[0]?.message).toBe("Profiles could not be loaded. No profiles are in use yet");
    expect((await ask(server)).statusCode).toBe(503);
    works = true;
    while ((await loads.next).outcome === "failed");
    expect((await ask(server)).json().data.sets).toEqual([4, 4, 4, 4]);
  });
});

it("a set without a profile in use is a failed load, though callers may send profiles: the last set still serves", async () => {
  replaceFile(setOf(1));
  const loads = new Loads();
  const logger = recordingLogger();
  const profiles = watchProfiles({ file, everyMs: 100 });
  const server = make({ profiles, observers: [loads], logger, profileOverride: "replace" });
  const { main: _, ...withoutMain } = setOf(2);
  for (const set of [{}, withoutMain, { revision: "7", profiles: withoutMain }]) {
    const { next } = loads;
    replaceFile(set);
    expect((await next).outcome).toBe("failed");
    expect((await ask(server)).json().data?.sets).toEqual([1, 1, 1, 1]);
    expect((await server.handler.inject("/health/ready")).statusCode).toBe(200);
  }
  expect(logger.entries.map(({ message }) => message)).toEqual(
    Array.from({ length: 3 }, () => "Profiles could not be loaded. The last valid profiles stay in use"),
  );
});

it("shows the profile in use on the docs page", async () => {
  replaceFile(setOf(1));
  const loads = new Loads();
  const server = make({ profiles: watchProfiles({ file, everyMs: 100 }), observers: [loads] });
  const shown = async () => (await server.handler.inject("/docs/decisions/score")).json().defaultProfile;
  expect(await shown()).toEqual({ set: 1 });
  const { next } = loads;
  replaceFile(setOf(2));
  await next;
  expect(await shown()).toEqual({ set: 2 });
});

it("loads nothing any more once the server has been closed", async () => {
  const signals: AbortSignal[] = [];
  const second = new Deferred<void>();
  const server = make({
    profiles: watchProfiles({
      everyMs: 100,
      timeoutMs: 60_000,
      load: async ({ signal }) => {
        signals.push(signal);
        if (signals.length === 1) return { profiles: setOf(1) };
        second.resolve();
        return new Promise<never>(() => {});
      },
    }),
  });
  await second.promise;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  await server.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(signals).toHaveLength(2);
});

it("never mixes two sets in an answer while a file is replaced under load, and a broken file changes nothing", async () => {
  const swaps = 300;
  // Makes polls follow one another at once. The file is read as ever.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  replaceFile({ revision: "0", profiles: setOf(0) });
  const loads = new Loads();
  const server = make({
    profiles: watchProfiles({ file, everyMs: 100 }),
    observers: [loads],
    hookTimeoutMs: 3_600_000,
    // Each evaluation takes several turns, so that sets are replaced while it runs.
    hooks: { beforeEvaluate: () => new Promise<void>((resolve) => setImmediate(resolve)) },
    profileResolver: async ({ request, named }) => {
      if (request?.headers["x-named"] === undefined) return undefined;
      await new Promise((resolve) => setImmediate(resolve));
      return named("named");
    },
  });
  const broken = ["{", "[]", { ...setOf(-1), score: { set: "x" } }, { ...setOf(-1), nobody: {} }];
  const seen = new Map<string, number>();
  const wrong: unknown[] = [];
  let ended = false;
  const client = async (headers: Record<string, string>): Promise<void> => {
    while (!ended) {
      const reply = await server.handler.inject({
        method: "POST",
        url: "/decisions/main",
        headers,
        payload: { input: {} },
      });
      const sets: readonly number[] = reply.json().data?.sets ?? [];
      if (sets.length !== 4 || new Set(sets).size !== 1) wrong.push(reply.body);
      seen.set(String(sets[0]), (seen.get(String(sets[0])) ?? 0) + 1);
    }
  };
  const clients = [{}, {}, {}, { "x-named": "1" }, { "x-named": "1" }].map(client);
  try {
    for (let set = 1; set <= swaps; set += 1) {
      const loaded = loads.next;
      replaceFile({ revision: String(set), profiles: setOf(set) });
      vi.advanceTimersByTime(100);
      expect(await loaded).toEqual({ outcome: "loaded", revision: String(set) });
      if (set % 10 !== 0) continue;
      const failed = loads.next;
      replaceFile(broken[(set / 10) % broken.length]);
      vi.advanceTimersByTime(100);
      expect((await failed).outcome).toBe("failed");
      expect((await ask(server)).json().data.sets).toEqual([set, set, set, set]);
      expect((await server.handler.inject("/health/ready")).statusCode).toBe(200);
    }
  } finally {
    ended = true;
    vi.useRealTimers();
    await Promise.all(clients);
  }
  expect(wrong).toEqual([]);
  // The load was there: many of the sets were used by somebody.
  expect(seen.size).toBeGreaterThan(swaps / 4);
  expect(seen.has("-1")).toBe(false);
});
