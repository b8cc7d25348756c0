import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultDecisions } from "../../src/decisions/index.js";
import { expectedAnswers, send } from "../support/requests.js";
import { killAll, type Service, startService, stop } from "../support/service.js";

const folder = fileURLToPath(new URL("../../requests/", import.meta.url));
const bodies = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.includes("/"))
  .sort();

/** The exact fields of the envelope's meta, by contract. */
const metaFields: Record<string, string[]> = {
  OK: ["decisionId", "decisionVersion", "evaluatedAt", "evaluatedRules", "explanation", "matchedRule"],
  NO_MATCH: ["decisionId", "decisionVersion", "evaluatedAt", "evaluatedRules", "explanation"],
  INVALID_INPUT: ["decisionId", "evaluatedAt"],
  INVALID_PROFILE: ["decisionId", "evaluatedAt"],
};

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(killAll);

describe("every request of requests/, against the built service", () => {
  it.each(
    expectedAnswers.map((entry) => {
      const name = `${entry.method ?? "POST"} ${entry.path} ${entry.file ?? ""}: ${entry.status}`;
      return [name, entry] as const;
    }),
  )("%s", async (_name, entry) => {
    const response = await send(service.url, entry);
    const text = await response.text();
    expect(response.status, text).toBe(entry.status);
    expect(response.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    for (const [name, value] of Object.entries(entry.headers ?? {})) {
      expect(response.headers.get(name)).toContain(value);
    }
    if (entry.contains !== undefined) {
      expect(text.toLowerCase()).toContain(entry.contains.toLowerCase());
      return;
    }
    expect(response.headers.get("content-type")).toMatch(/^application\/json\b/);
    const body: unknown = JSON.parse(text);
    if (entry.exactly !== undefined) expect(body).toEqual(entry.exactly);
    if (entry.body !== undefined) expect(body).toMatchObject(entry.body);
    const status = entry.body?.["status"];
    if (typeof status !== "string") return;
    expect(Object.keys((body as { meta: object }).meta).sort()).toEqual(metaFields[status]);
  });

  it("has bodies for every rule of every decision, and for every kind of failure", () => {
    const shown = new Set(
      expectedAnswers.map(({ body }) => JSON.stringify([body?.["meta"], body?.["status"]])),
    );
    for (const { id, ruleIds } of defaultDecisions) {
      for (const matchedRule of ruleIds) {
        expect(shown).toContain(JSON.stringify([{ decisionId: id, matchedRule }, "OK"]));
      }
      for (const status of ["INVALID_INPUT", "INVALID_PROFILE"]) {
        expect(shown).toContain(JSON.stringify([{ decisionId: id }, status]));
      }
    }
  });

  it("has exactly one expected reply for every body", () => {
    const expected = new Set(expectedAnswers.flatMap(({ file }) => file ?? []));
    expect(bodies).toEqual([...expected].sort());
  });
});

it("replies 413 to a body over 1 MiB, and serves the next request", async () => {
  const [first] = expectedAnswers;
  if (first === undefined) throw new Error("no requests");
  const response = await fetch(`${service.url}${first.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: "x".repeat(1024 * 1024) }),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ code: "BODY_TOO_LARGE" });
  expect((await send(service.url, first)).status).toBe(200);
});

it("has served them all and stops on request", async () => {
  expect(await stop(service)).toEqual({ code: 0, signal: null });
  expect(service.output()).not.toMatch(/Evaluation failed|UnhandledPromise/);
});
