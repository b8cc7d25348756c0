import type { EvaluationObserver, ShadowEvent } from "@decern/core";
import { createServer, type DecisionServer } from "@decern/server";
import { afterAll, describe, expect, it } from "vitest";
import { rollOut } from "../src/callers.js";
import { serviceOptions } from "../src/service-options.js";
import { requestBody } from "./support/requests.js";
import { settings } from "./support/settings.js";

const callers = Array.from({ length: 10_000 }, (_unused, index) => `shop-${index}`);

/** Those who get 2.0.0. */
function chosen(percent: number): ReadonlySet<string> {
  const { select } = rollOut(percent).versions["loan-approval"];
  const version = (caller: string) => select?.({ input: undefined, caller, request: undefined });
  return new Set(callers.filter((caller) => version(caller) === "2.0.0"));
}

describe("a roll-out over 10,000 callers", () => {
  it.each([1, 10, 20, 50, 90, 99])("gives %i % of them the new version, within 1 %", (percent) => {
    expect(Math.abs(chosen(percent).size - percent * 100)).toBeLessThanOrEqual(100);
  });

  it("never moves anybody back when the share grows", () => {
    const steps = [0, 1, 5, 10, 20, 50, 99].map(chosen);
    for (const [index, wider] of steps.entries()) {
      expect([...(steps[index - 1] ?? [])].filter((caller) => !wider.has(caller))).toEqual([]);
    }
    expect(steps[0]?.size).toBe(0);
  });

  it("leaves calls without a caller on the current version", () => {
    const { default: current, select } = rollOut(99).versions["loan-approval"];
    expect(select?.({ input: undefined, caller: undefined, request: undefined })).toBeUndefined();
    expect(current).toBe("1.2.0");
  });

  it("ends with the new version as default, and the old one deprecated", () => {
    const { versions, shadow } = rollOut(100);
    expect(versions["loan-approval"]).toMatchObject({ default: "2.0.0", deprecated: { "1.2.0": {} } });
    expect(shadow).toEqual({});
  });
});

/** Callers on each side of a share of 10 %. */
const first = [...chosen(10)][0] ?? "";
const later = callers.find((caller) => !chosen(99).has(caller)) ?? "";
const keys = { [first]: ["first-key"], [later]: ["later-key"], "credit-union": ["union-key"] };

const servers: DecisionServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

function serve(percent: number, observers: readonly EvaluationObserver[] = []) {
  const options = serviceOptions({ ...settings, apiKeys: keys, rollOutPercent: percent });
  const server = createServer({ ...options, observers, logger: false });
  servers.push(server);
  return async (key: string, file = "loan-approval/prime.json", path = "/decisions/loan-approval") => {
    const headers = { "content-type": "application/json", "x-api-key": key };
    const payload = requestBody(file);
    const reply = await server.handler.inject({ method: "POST", url: path, headers, payload });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
  };
}

describe("the service during a roll-out", () => {
  it("evaluates each caller's version, and the default for everybody else", async () => {
    const ask = serve(10);
    expect((await ask("first-key")).body.meta.decisionVersion).toBe("2.0.0");
    expect((await ask("later-key")).body.meta.decisionVersion).toBe("1.2.0");
    expect((await ask("later-key")).headers).not.toHaveProperty("deprecation");
  });

  it("evaluates the version in the path, whoever asks", async () => {
    const ask = serve(10);
    const pinned = (key: string, version: string) =>
      ask(key, "loan-approval/prime.json", `/decisions/loan-approval/versions/${version}`);
    expect((await pinned("first-key", "1.2.0")).body.meta.decisionVersion).toBe("1.2.0");
    expect((await pinned("later-key", "2.0.0")).body.meta.decisionVersion).toBe("2.0.0");
  });

  it("evaluates the new version as a shadow for those who get the current one", async () => {
    const events: ShadowEvent[] = [];
    const ask = serve(10, [{ onEvaluated: () => {}, onShadowEvaluated: (event) => void events.push(event) }]);
    const contested = "loan-approval@2.0.0/affordable-at-its-own-rate.json";
    expect((await ask("later-key", contested)).body.meta.matchedRule).toBe("debt-to-income");
    await ask("later-key");
    await expect.poll(() => events.map(({ outcome }) => outcome)).toEqual(["different", "same"]);
    expect(events[0]?.shadowResult).toMatchObject({ status: "OK", data: { approved: true } });
    // The candidate replied already: there is nothing to compare it with.
    await ask("first-key");
    await ask("later-key");
    await expect.poll(() => events.length).toBeGreaterThan(2);
    expect(events.map(({ decision }) => decision.version)).toEqual(["1.2.0", "1.2.0", "1.2.0"]);
  });

  it("ends: the new version replies to everybody, and the old one announces its end", async () => {
    const ask = serve(100);
    for (const key of ["first-key", "later-key"]) {
      const { body, headers } = await ask(key);
      expect(body.meta.decisionVersion).toBe("2.0.0");
      expect(headers).not.toHaveProperty("deprecation");
    }
    const old = await ask("later-key", undefined, "/decisions/loan-approval/versions/1.2.0");
    expect(old).toMatchObject({
      status: 200,
      headers: {
        deprecation: `@${Date.UTC(2026, 11, 1) / 1000}`,
        sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
        link: expect.stringContaining('rel="deprecation"'),
      },
      body: { meta: { decisionVersion: "1.2.0" } },
    });
  });
});

describe("a tenant with a profile of its own", () => {
  it("gets another reply than everybody else to the same application", async () => {
    const ask = serve(0);
    const file = "loan-approval/standard.json";
    expect((await ask("later-key", file)).body.meta.matchedRule).toBe("standard");
    expect((await ask("union-key", file)).body.meta).toMatchObject({
      matchedRule: "score-too-low",
      explanation: "Score 640 is below 700",
    });
    const other = "news2/zero.json";
    expect((await ask("union-key", other, "/decisions/news2")).body.meta.matchedRule).toBe("zero");
  });
});
