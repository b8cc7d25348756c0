import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectedAnswers, requestBody } from "../support/requests.js";
import { killAll, type Process, startScript, stop } from "../support/service.js";

const amara = { authorization: "Bearer amara-token" };
const chidi = { authorization: "Bearer chidi-token" };
/** One of the callers in the first 10 % of the roll-out. */
const shop = { authorization: "Bearer shop-token" };
/** A tenant with a stricter lending policy. */
const union = { authorization: "Bearer union-token" };

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

/** A body in `requests/`. The hosts expect the input itself. */
function input(file: string): {
  input: Record<string, unknown>;
  profile?: unknown;
  profileName?: unknown;
} {
  return JSON.parse(requestBody(file).toString());
}

async function call(host: string, path: string, headers: object, body?: unknown) {
  const response = await fetch(`${urls[host]}${path}`, {
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

// A host accepts no profile from callers, neither by value nor by name. To all other bodies it must reply as the standalone server does.
const decided = expectedAnswers.flatMap(({ file, path, status, body }) => {
  if (file === undefined || !path.startsWith("/decisions/") || file.startsWith("refused/")) return [];
  const { input: sent, profile, profileName } = input(file);
  return (profile ?? profileName) === undefined && status !== 405 ? [{ file, path, status, body, sent }] : [];
});

describe.each(["Express", "Fastify"])("%s", (host) => {
  it("serves its own route to everyone", async () => {
    expect(await call(host, "/", {})).toEqual({ status: 200, body: { host: host.toLowerCase() } });
  });

  it.each(decided)("replies to $file as the standalone server does", async ({ path, status, body, sent }) => {
    expect(await call(host, `/api${path}`, amara, sent)).toMatchObject({ status, body });
  });

  it("authenticates callers before it evaluates anything", async () => {
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

  it("uses the lending policy of the caller's department", async () => {
    const { input: application } = input("loan-approval/prime.json");
    expect((await call(host, "/loans", amara, application)).body.meta.matchedRule).toBe("prime");
    expect((await call(host, "/loans", chidi, application)).body.meta.explanation).toBe(
      "Amount 20000 is above the limit of 10000",
    );
  });

  it("moves callers to version 2.0.0 as the roll-out says", async () => {
    const { input: application } = input("loan-approval@2.0.0/affordable-at-its-own-rate.json");
    const path = "/api/decisions/loan-approval";
    expect((await call(host, path, shop, application)).body.meta).toMatchObject({
      decisionVersion: "2.0.0",
      matchedRule: "prime",
    });
    expect((await call(host, path, amara, application)).body.meta).toMatchObject({
      decisionVersion: "1.2.0",
      matchedRule: "debt-to-income",
    });
  });

  it("replies to a version that is unknown or retired as the standalone server does", async () => {
    const versions = "/api/decisions/loan-approval/versions";
    expect(await call(host, `${versions}/9.0.0`, amara, {})).toMatchObject({
      status: 404,
      body: { code: "VERSION_NOT_FOUND" },
    });
    expect(await call(host, `${versions}/1.1.0`, amara, {})).toMatchObject({
      status: 410,
      body: { code: "VERSION_RETIRED" },
    });
  });

  it("uses a tenant's own profile, and the default for everybody else", async () => {
    const { input: application } = input("loan-approval/standard.json");
    const path = "/api/decisions/loan-approval";
    expect((await call(host, path, amara, application)).body.meta.matchedRule).toBe("standard");
    expect((await call(host, path, union, application)).body.meta.explanation).toBe("Score 640 is below 700");
  });

  it("lets a decision guard its documents, and passes the reason to the handler", async () => {
    expect(await call(host, "/documents/budget", amara)).toMatchObject({
      status: 200,
      body: { document: { title: "Budget" }, why: { matchedRule: "department-read" } },
    });
  });

  it.each([
    ["no rule covers it", "/documents/budget", chidi],
    ["the clearance is too low", "/documents/salaries", amara],
    ["the document does not exist: the reply is the same", "/documents/nothing", amara],
  ])("denies if %s", async (_why, path, headers) => {
    expect(await call(host, path, headers)).toEqual({
      status: 403,
      body: { error: "Access denied", code: "ACCESS_DENIED" },
    });
  });
});

describe("one collector over both hosts", () => {
  it("counts evaluations of both, on both pages", async () => {
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

it("both stop on request", async () => {
  expect(await stop(hosts)).toEqual({ code: 0, signal: null });
});
