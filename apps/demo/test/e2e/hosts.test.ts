import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectedAnswers, requestBody } from "../support/requests.js";
import { killAll, type Process, startScript, stop } from "../support/service.js";

const amara = { authorization: "Bearer amara-token" };
const chidi = { authorization: "Bearer chidi-token" };

let hosts: Process;
const urls: Record<string, string> = {};

beforeAll(async () => {
  hosts = startScript("hosts", ["--express-port", "0", "--fastify-port", "0"]);
  for (const name of ["Express", "Fastify"]) {
    const [, url = ""] = await hosts.printed(new RegExp(`^${name} on (http://\\S+)$`, "m"));
    urls[name] = url;
  }
});
afterAll(killAll);

/** What a body of `requests/` holds; hosts take the input itself. */
function input(file: string): { input: Record<string, unknown>; profile?: unknown } {
  return JSON.parse(requestBody(file).toString());
}

async function call(host: string, path: string, headers: object, body?: unknown) {
  const response = await fetch(`${urls[host]}${path}`, {
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

// A host takes no profile from its callers; the rest of the bodies has to be answered as the standalone server does.
const decided = expectedAnswers.flatMap(({ file, path, status, body }) => {
  if (file === undefined || !path.startsWith("/decisions/") || file.startsWith("refused/")) return [];
  const { input: sent, profile } = input(file);
  return profile === undefined && status !== 405 ? [{ file, path, status, body, sent }] : [];
});

describe.each(["Express", "Fastify"])("%s", (host) => {
  it("serves its own route, to everyone", async () => {
    expect(await call(host, "/", {})).toEqual({ status: 200, body: { host: host.toLowerCase() } });
  });

  it.each(decided)("answers $file as the standalone server does", async ({ path, status, body, sent }) => {
    expect(await call(host, `/api${path}`, amara, sent)).toMatchObject({ status, body });
  });

  it("asks who somebody is before it decides anything", async () => {
    const { input: application } = input("loan-approval/prime.json");
    for (const headers of [{}, { authorization: "Bearer guess" }, { authorization: "Basic amara-token" }]) {
      for (const path of ["/api/decisions/loan-approval", "/loans"]) {
        expect(await call(host, path, headers, application)).toMatchObject({
          status: 401,
          body: { code: "UNAUTHORIZED" },
        });
      }
      expect((await call(host, "/documents/budget", headers)).status).toBe(401);
    }
  });

  it("lends by the department of who asks", async () => {
    const { input: application } = input("loan-approval/prime.json");
    expect((await call(host, "/loans", amara, application)).body.meta.matchedRule).toBe("prime");
    expect((await call(host, "/loans", chidi, application)).body.meta.explanation).toBe(
      "Amount 20000 is above the limit of 10000",
    );
  });

  it("lets a decision guard its documents, and tells the handler why", async () => {
    expect(await call(host, "/documents/budget", amara)).toMatchObject({
      status: 200,
      body: { document: { title: "Budget" }, why: { matchedRule: "department-read" } },
    });
  });

  it.each([
    ["no rule speaks of it", "/documents/budget", chidi],
    ["the clearance is too low", "/documents/salaries", amara],
    ["there is no such document: the answer is the same", "/documents/nothing", amara],
  ])("denies where %s", async (_why, path, headers) => {
    expect(await call(host, path, headers)).toEqual({
      status: 403,
      body: { error: "Access denied", code: "ACCESS_DENIED" },
    });
  });
});

describe("one collector over both hosts", () => {
  it("counts what either served, on the page of either", async () => {
    const counted = async (host: string): Promise<Record<string, number>> => {
      const text = await (await fetch(`${urls[host]}/metrics`)).text();
      const lines = text.matchAll(
        /^engine_evaluations_total\{decision_id="([^"]+)",status="([^"]+)"\} (\d+)$/gm,
      );
      return Object.fromEntries(
        [...lines].map(([, id, status, count]) => [`${id} ${status}`, Number(count)]),
      );
    };
    const before = await counted("Express");
    expect(await counted("Fastify")).toEqual(before);
    const { input: patient } = input("news2/high.json");
    for (const host of ["Express", "Fastify", "Fastify"]) {
      await call(host, "/api/decisions/news2", amara, patient);
      await call(host, "/documents/budget", chidi);
    }
    const expected = {
      ...before,
      "news2 OK": (before["news2 OK"] ?? 0) + 3,
      "document-access NO_MATCH": (before["document-access NO_MATCH"] ?? 0) + 3,
    };
    expect(await counted("Express")).toEqual(expected);
    expect(await counted("Fastify")).toEqual(expected);
  });
});

it("both end when asked", async () => {
  expect(await stop(hosts)).toEqual({ code: 0, signal: null });
});
