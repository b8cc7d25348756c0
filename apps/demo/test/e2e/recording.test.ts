import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecisionRecord, RecordQuery } from "@decern/core";
import { afterAll, describe, expect, it } from "vitest";
import { decisionRecords } from "../../src/decision-records.js";
import { killAll, startScript, startService, stop } from "../support/service.js";

const folder = mkdtempSync(join(tmpdir(), "decern-demo-records-"));
afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

const subjectKey = "the key of these tests";
const environment = { DECERN_CALLERS: "shop=shop-key,auditor=auditor-key", DECERN_SUBJECT_KEY: subjectKey };
const customer = "C-90210";
const loan = {
  applicant: { age: 34, income: 68_000, creditScore: 580, employment: "employed" },
  amount: 20_000,
  termMonths: 60,
  country: "GB",
  customer,
};

async function post(url: string, body: object, headers: Readonly<Record<string, string>>) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const recordId = response.headers.get("decern-record-id") ?? undefined;
  return { status: response.status, body: JSON.parse(await response.text()), recordId };
}

/** Everything that is in the files of a folder. */
function textOf(place: string): string {
  return readdirSync(place)
    .map((name) => readFileSync(join(place, name), "utf8"))
    .join("");
}

/** What the demo's own log finds in a folder. */
async function recordsIn(place: string, query: RecordQuery): Promise<readonly DecisionRecord[]> {
  const log = decisionRecords(place, subjectKey);
  const found: DecisionRecord[] = [];
  for await (const record of log.find(query)) found.push(record);
  await log.close();
  return found;
}

describe("--records", () => {
  it("keeps each reply, without the customer's number, and finds it by that number until it is erased", async () => {
    const place = join(folder, "service");
    const service = await startService(["--records", place], environment);
    const reply = await post(
      `${service.url}/decisions/loan-approval`,
      { input: loan },
      { "x-api-key": "shop-key" },
    );
    expect(reply).toMatchObject({ status: 200, body: { data: { approved: false } } });
    expect(await stop(service)).toEqual({ code: 0, signal: null });
    expect(textOf(place)).not.toContain(customer);

    const [record, ...more] = await recordsIn(place, { subject: customer });
    expect(more).toEqual([]);
    const { customer: _hidden, ...kept } = loan;
    expect(record).toMatchObject({
      recordId: reply.recordId,
      decision: { id: "loan-approval" },
      caller: "shop",
      status: "OK",
      matchedRule: "score-too-low",
      masked: ["/input/customer"],
      payload: { input: kept, result: reply.body },
    });

    const log = decisionRecords(place, subjectKey);
    // The shadow of the same call is about the same person.
    expect((await log.erase({ subject: customer })).records).toBeGreaterThan(0);
    expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
    await log.close();
    expect(textOf(place)).not.toContain("68000");
  });

  it("lets the auditor see the records, and nobody else", async () => {
    const place = join(folder, "page");
    const service = await startService(["--records", place], environment);
    const search = async (headers: Readonly<Record<string, string>>) =>
      (await post(`${service.url}/records/search`, {}, headers)).status;
    expect(await search({})).toBe(401);
    expect(await search({ "x-api-key": "shop-key" })).toBe(403);
    expect(await search({ "x-api-key": "auditor-key" })).toBe(200);
    await stop(service);
    for (const callers of [{}, { DECERN_CALLERS: "shop=key" }, { DECERN_API_KEYS: "key" }]) {
      const other = await startService(["--records", place], callers);
      const { status } = await post(`${other.url}/records/search`, {}, { "x-api-key": "key" });
      expect(status).toBe(404);
      await stop(other);
    }
  });

  it("refuses calls while the records have no place", async () => {
    const place = join(folder, "no-folder");
    writeFileSync(place, "a file");
    const service = await startService(["--records", place]);
    const reply = (): Promise<object> => post(`${service.url}/decisions/loan-approval`, { input: loan }, {});
    await expect.poll(reply).toMatchObject({ status: 503, body: { code: "RECORD_UNAVAILABLE" } });
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
    await stop(service);
    expect(service.output()).not.toContain(customer);
  });

  it("is off by default", async () => {
    const service = await startService();
    const reply = await post(`${service.url}/decisions/loan-approval`, { input: loan }, {});
    expect(reply).toMatchObject({ status: 200, recordId: undefined });
    expect((await fetch(`${service.url}/records`)).status).toBe(404);
    await stop(service);
  });
});

describe("the hosts", () => {
  it("keep their records in one log, guards included", async () => {
    const place = join(folder, "hosts");
    const args = ["--express-port", "0", "--fastify-port", "0", "--records", place];
    const hosts = startScript("hosts", args, { DECERN_SUBJECT_KEY: subjectKey });
    const urls: string[] = [];
    for (const name of ["Express", "Fastify"]) {
      const [, url = ""] = await hosts.printed(new RegExp(`^${name} on (http://\\S+)$`, "m"));
      urls.push(url);
    }
    const amara = { authorization: "Bearer amara-token" };
    const chidi = { authorization: "Bearer chidi-token" };
    const ids: unknown[] = [];
    for (const url of urls) {
      ids.push((await post(`${url}/api/decisions/loan-approval`, loan, amara)).recordId);
      ids.push((await post(`${url}/loans`, loan, amara)).recordId);
      // Chidi may not read it, which no rule decides: that is never sampled away.
      expect((await fetch(`${url}/documents/budget`, { headers: chidi })).status).toBe(403);
    }
    expect(await stop(hosts)).toEqual({ code: 0, signal: null });
    const loans = await recordsIn(place, { decision: "loan-approval", caller: "amara" });
    const answered = loans.filter(({ selectedBy }) => selectedBy !== "shadow");
    expect(answered.map(({ recordId }) => recordId)).toEqual(ids);
    expect(await recordsIn(place, { decision: "document-access", caller: "chidi" })).toHaveLength(2);
    expect(textOf(place)).not.toContain(customer);
  });
});
