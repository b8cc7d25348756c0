import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { SourceHost, SourceWatch } from "@decern/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordingWatcher } from "../../../test/support/recording-watcher.js";
import { watchProfiles } from "../src/index.js";

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly url: string | undefined;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

let server: Server;
let origin = "";
let answer: Answer;
const requests: IncomingMessage[] = [];
const answered: Answered[] = [];
const watches: SourceWatch[] = [];

beforeEach(async () => {
  requests.length = 0;
  answered.length = 0;
  server = createServer((request, response) => {
    requests.push(request);
    response.on("finish", () => {
      answered.push({ status: response.statusCode, headers: request.headers, url: request.url });
    });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});

afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function watchUrl(
  host: SourceHost,
  { timeoutMs = 300_000, path = "/p.json" }: { readonly timeoutMs?: number; readonly path?: string } = {},
): SourceWatch {
  const headers = { authorization: "Bearer secret" };
  const watch = watchProfiles({ url: origin + path, headers, everyMs: 100, timeoutMs }).watch(host);
  watches.push(watch);
  return watch;
}

/** Answers as a server with entity tags does. */
function tagged(etag: string, document: unknown): Answer {
  return (request, response) => {
    response.setHeader("etag", etag);
    if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.end(JSON.stringify(document));
  };
}

/** Answers once one way, and then another. */
function once(first: Answer, then: Answer): Answer {
  return (request, response) => {
    answer = then;
    first(request, response);
  };
}

const statuses = (): readonly number[] => answered.map(({ status }) => status);

/** Waits until so many more requests have been answered. */
async function moreAnswers(count: number): Promise<void> {
  const before = answered.length;
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(before + count);
}

describe("profiles over HTTP", () => {
  it("are loaded once while the server says 304, and again when their tag changes", async () => {
    answer = tagged('"1"', { revision: "1", profiles: { loan: { minScore: 1 } } });
    const host = recordingWatcher();
    const watch = watchUrl(host);
    expect(watch.isReady).toBe(false);
    await watch.first;
    expect(watch.isReady).toBe(true);
    await moreAnswers(3);
    expect(statuses().slice(0, 4)).toEqual([200, 304, 304, 304]);
    expect(host.outcomes()).toEqual(["loaded"]);
    answer = tagged('W/"2"', { revision: "2", profiles: {} });
    await expect.poll(() => host.accepted.map(({ revision }) => revision)).toEqual(["1", "2"]);
    await moreAnswers(2);
    expect(statuses().filter((status) => status === 200)).toHaveLength(2);
    expect(host.outcomes()).toEqual(["loaded", "loaded"]);
  });

  it("are asked for with the host's headers, and so that Express may answer 304", async () => {
    answer = tagged('"1"', {});
    await watchUrl(recordingWatcher()).first;
    await moreAnswers(1);
    for (const { headers } of answered) {
      expect(headers).toMatchObject({
        accept: "application/json",
        authorization: "Bearer secret",
        "cache-control": "max-age=0",
      });
    }
    expect(answered.map(({ headers }) => headers["if-none-match"]).slice(0, 2)).toEqual([undefined, '"1"']);
  });

  it("are compared by their text where the server has no tags", async () => {
    answer = (_request, response) => response.end("{}");
    const host = recordingWatcher();
    await watchUrl(host).first;
    await moreAnswers(3);
    expect(host.accepted).toHaveLength(1);
    expect(host.outcomes()).toEqual(["loaded"]);
  });

  it("are compared by their text where the tag never changes and the server replies in full", async () => {
    const host = recordingWatcher();
    let revision = "1";
    answer = (_request, response) =>
      response.setHeader("etag", '"same"').end(JSON.stringify({ revision, profiles: {} }));
    await watchUrl(host).first;
    await moreAnswers(2);
    revision = "2";
    await expect.poll(() => host.accepted.map((set) => set.revision)).toEqual(["1", "2"]);
  });

  it("are reported once when they are refused, and asked for with the tag of the set in use", async () => {
    answer = tagged('"1"', {});
    const host = recordingWatcher();
    await watchUrl(host).first;
    answer = tagged('"2"', { loan: { wrong: true } });
    await expect.poll(host.outcomes).toEqual(["loaded", "failed"]);
    await moreAnswers(3);
    expect(host.outcomes()).toEqual(["loaded", "failed"]);
    expect(answered.at(-1)?.headers["if-none-match"]).toBe('"1"');
    answer = tagged('"1"', {});
    await expect.poll(host.outcomes).toEqual(["loaded", "failed", "loaded"]);
    expect(host.accepted).toHaveLength(1);
  });

  it("stay as they are while the server fails", async () => {
    answer = tagged('"1"', {});
    const host = recordingWatcher();
    await watchUrl(host).first;
    answer = (_request, response) => response.writeHead(500).end("secret of the server");
    await expect.poll(() => host.errors().length).toBeGreaterThan(1);
    expect(new Set(host.errors())).toEqual(
      new Set([expect.stringContaining(`${origin}/p.json responded with status 500 instead of 200`)]),
    );
    answer = tagged('"1"', {});
    await expect.poll(() => host.outcomes().at(-1)).toBe("loaded");
    expect(host.accepted).toHaveLength(1);
  });

  it.each([
    [204, "responded with status 204"],
    [206, "responded with status 206"],
    [304, "responded with status 304 instead of 200 to an unconditional request"],
    [401, "responded with status 401"],
  ])("are not taken from a reply with status %i", async (status, message) => {
    answer = (_request, response) => response.writeHead(status).end(status === 206 ? "{}" : undefined);
    await expect(watchUrl(recordingWatcher()).first).rejects.toMatchObject({
      code: "PROFILES_NOT_LOADED",
      message: expect.stringContaining(message),
    });
  });

  it.each([301, 302, 303, 307, 308])("are not taken from where a %i leads", async (status) => {
    answer = (_request, response) => response.writeHead(status, { location: "/other.json" }).end();
    const watch = watchUrl(recordingWatcher());
    await expect(watch.first).rejects.toThrow("is a redirect, which is not followed");
    await moreAnswers(1);
    expect(new Set(answered.map(({ url }) => url))).toEqual(new Set(["/p.json"]));
  });

  it("are refused above 10 MiB, and the rest is not read", async () => {
    let hasEnded = false;
    answer = once(
      (_request, response) => {
        const chunk = Buffer.alloc(1024 * 1024, " ");
        const write = (): void => {
          while (!hasEnded && response.write(chunk)) {}
        };
        response.on("drain", write).on("close", () => {
          hasEnded = true;
        });
        write();
      },
      (_request, response) => response.end("{}"),
    );
    const host = recordingWatcher();
    const watch = watchUrl(host);
    await expect(watch.first).rejects.toThrow(`${origin}/p.json is larger than 10 MiB`);
    await expect.poll(() => hasEnded).toBe(true);
    await expect.poll(() => watch.isReady).toBe(true);
  });

  it("may be almost 10 MiB", async () => {
    const document = `{"loan":"${"x".repeat(10 * 1024 * 1024 - 11)}"}`;
    answer = (_request, response) => response.end(document);
    const host = recordingWatcher();
    await watchUrl(host).first;
    expect(host.accepted[0]?.profiles).toEqual(JSON.parse(document));
  });

  it.each<[string, Answer]>([
    ["does not respond", () => {}],
    ["stops within the body", (_request, response) => response.write('{"loan":')],
  ])("are given up after the time-out when the server %s", async (_what, silence) => {
    answer = silence;
    const host = recordingWatcher();
    const watch = watchUrl(host, { timeoutMs: 100 });
    await expect(watch.first).rejects.toThrow(`${origin}/p.json took longer than 100 ms`);
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
    answer = (_request, response) => response.end("{}");
    await expect.poll(() => watch.isReady).toBe(true);
    expect(new Set(host.errors()).size).toBe(1);
  });

  it("stay as they are when the connection is cut within the body", async () => {
    answer = tagged('"1"', {});
    const host = recordingWatcher();
    await watchUrl(host).first;
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("{}", () => response.destroy());
    };
    await expect.poll(() => host.errors()[0]).toContain(`${origin}/p.json stopped responding`);
    expect(host.accepted).toHaveLength(1);
  });

  it("are not there when nothing listens, and no secret is in the message", async () => {
    server.close();
    const host = recordingWatcher();
    const watch = watchUrl(host, { path: "/p.json?token=secret" });
    await expect(watch.first).rejects.toMatchObject({
      code: "PROFILES_NOT_LOADED",
      message: `Profiles could not be loaded: ${origin}/p.json cannot be reached (ECONNREFUSED)`,
    });
  });

  it("are no longer asked for after stop, which ends a request", async () => {
    answer = () => {};
    const host = recordingWatcher();
    const watch = watchUrl(host);
    await expect.poll(() => requests.length).toBe(1);
    await watch.stop();
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
    await expect(watch.first).rejects.toThrow("no longer watched");
    expect(host.loads).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});
