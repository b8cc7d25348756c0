import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { expectedAnswers, send } from "../support/requests.js";
import { killAll, type Service, startScript, startService, stop } from "../support/service.js";

const folder = mkdtempSync(join(tmpdir(), "decern-demo-"));
afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const loan = {
  applicant: { age: 34, income: 68_000, creditScore: 640, employment: "employed" },
  amount: 20_000,
  termMonths: 60,
  country: "GB",
};

async function ask(service: Service, body: object, headers: object = {}) {
  const response = await fetch(`${service.url}/decisions/loan-approval`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe("the command", () => {
  it("--help lists every flag, variable and decision, and exits with 0", async () => {
    const command = startScript("main", ["--help"]);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    for (const flag of [
      "port",
      "host",
      "profiles",
      "reload",
      "roll-out",
      "records",
      "[no-]profile-override",
      "[no-]metrics",
      "[no-]openapi",
    ]) {
      expect(command.output()).toContain(`--${flag}`);
    }
    for (const name of [
      "PORT",
      "HOST",
      "PROFILES",
      "RELOAD",
      "ROLL_OUT",
      "RECORDS",
      "SUBJECT_KEY",
      "PROFILE_OVERRIDE",
      "METRICS",
      "OPENAPI",
      "CORS",
      "MAX_DELAY",
      "MAX_CONNECTION_AGE",
      "API_KEYS",
      "CALLERS",
    ]) {
      expect(command.output()).toMatch(new RegExp(`\\b(DECERN_)?${name}\\b`));
    }
    for (const { id } of defaultDecisions) expect(command.output()).toContain(id);
    for (const line of command.output().split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });

  it.each([
    ["an unknown flag", ["--prot", "1"], {}, /--prot/],
    ["a wrong port", ["--port", "65536"], {}, /--port must be a number from 0 to 65535, not "65536"/],
    ["a wrong variable", [], { DECERN_METRICS: "maybe" }, /DECERN_METRICS must be on or off/],
    ["no such file", ["--profiles", join(folder, "none.json")], {}, /none\.json" cannot be read \(ENOENT\)/],
    ["a folder", ["--profiles", folder], {}, /is not a regular file/],
    ["no JSON", ["--profiles", file("text.json", "minScore: 3")], {}, /text\.json" is not valid JSON/],
    ["not an object", ["--profiles", file("list.json", "[]")], {}, /list\.json" must have an object/],
    ["an unknown decision", ["--profiles", file("id.json", '{"loans":{}}')], {}, /\/profiles\/loans/],
    [
      "a profile that does not match its schema",
      ["--profiles", file("broken.json", '{"loan-approval":{"minScore":1}}')],
      {},
      /\/profiles\/loan-approval\/minScore/,
    ],
  ])("exits with 2 for %s, with a readable message", async (_what, args, environment, message) => {
    const command = startScript("main", ["--port", "0", ...args], environment);
    expect(await command.ended).toEqual({ code: 2, signal: null });
    expect(command.output()).toMatch(/^decern-demo: /);
    expect(command.output()).toMatch(message);
    expect(command.output()).toMatch(/Try --help\.\n$/);
    expect(command.output()).not.toMatch(/\n {4}at /);
  });

  it("exits with 1 when the port is in use, and names it", async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, "127.0.0.1", () => {
        const address = other.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    const command = startScript("main", ["--host", "127.0.0.1"], { PORT: String(port) });
    expect(await command.ended).toEqual({ code: 1, signal: null });
    expect(command.output()).toMatch(
      new RegExp(`^decern-demo: .*in use.*${port}|^decern-demo: .*${port}.*in use`),
    );
    expect(command.output()).not.toMatch(/\n {4}at /);
    other.close();
  });
});

describe("the service", () => {
  it("prints its address, the number of decisions, and its pages", async () => {
    const service = await startService();
    const notice = service.output();
    expect(notice).toContain(String(service.port));
    expect(notice).toMatch(/\b6 decisions\b|decisions\W+6\b/i);
    expect(notice).toContain(`${service.url}/docs`);
    expect(notice).toContain(`${service.url}/decisions`);
    expect((await fetch(service.url)).status).toBe(200);
    await stop(service);
  });

  it("serves everything by default", async () => {
    const service = await startService();
    for (const path of ["/metrics", "/openapi.json", "/swagger/", "/docs"]) {
      expect((await fetch(service.url + path)).status, path).toBe(200);
    }
    const { headers } = await ask(service, { input: loan }, { origin: "https://example.org" });
    expect(headers.get("access-control-allow-origin")).not.toBeNull();
    await stop(service);
  });

  it("leaves out what is switched off, also from the document", async () => {
    const off = ["--no-metrics", "--no-openapi", "--no-cors", "--no-profile-override"];
    const service = await startService(off);
    for (const path of ["/metrics", "/openapi.json", "/swagger", "/swagger/"]) {
      expect((await fetch(service.url + path)).status, path).toBe(404);
    }
    const own = { input: loan, profile: profiles["loan-approval"] };
    expect(await ask(service, own)).toMatchObject({
      status: 403,
      body: { code: "PROFILE_OVERRIDE_FORBIDDEN" },
    });
    const answer = await ask(service, { input: loan }, { origin: "https://example.org" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    await stop(service);
  });

  it("reads profiles from a file, and keeps the built-in ones of other decisions", async () => {
    const strict = { "loan-approval": { ...profiles["loan-approval"], minScore: 700 } };
    const service = await startService([], { DECERN_PROFILES: file("strict.json", JSON.stringify(strict)) });
    expect((await ask(service, { input: loan })).body.meta).toMatchObject({
      matchedRule: "score-too-low",
      explanation: "Score 640 is below 700",
    });
    // Without a profile this decision returns INVALID_PROFILE.
    const other = expectedAnswers.find((entry) => entry.file === "news2/zero.json");
    if (other === undefined) throw new Error("no such request");
    expect(await (await send(service.url, other)).json()).toMatchObject({ status: "OK" });
    await stop(service);
  });

  it("replies by the profiles file as it is now, without a restart", async () => {
    const policy = (minScore: number) =>
      JSON.stringify({ "loan-approval": { ...profiles["loan-approval"], minScore } });
    const path = file("edited.json", policy(600));
    const service = await startService(["--reload", "100"], { DECERN_PROFILES: path });
    const rule = async (): Promise<unknown> => (await ask(service, { input: loan })).body.meta.matchedRule;
    expect(await rule()).toBe("standard");
    file("edited.json", policy(700));
    await expect.poll(rule).toBe("score-too-low");
    // A file with a mistake changes nothing, and is reported.
    file("edited.json", policy(7_000));
    await service.printed(/\/profiles\/loan-approval\/minScore/);
    expect(await rule()).toBe("score-too-low");
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    file("edited.json", policy(640));
    await expect.poll(rule).toBe("standard");
    await stop(service);
  });

  it("changes a tenant's own profile with the file, and nobody else's", async () => {
    const strict = (minScore: number) =>
      JSON.stringify({ "loan-approval#strict": { ...profiles["loan-approval"], minScore } });
    const path = file("tenant.json", "{}");
    const callers = { DECERN_CALLERS: "credit-union=union-key,web-shop=shop-key", DECERN_PROFILES: path };
    const service = await startService(["--reload=100"], callers);
    const why = async (key: string): Promise<unknown> =>
      (await ask(service, { input: loan }, { "x-api-key": key })).body.meta.explanation;
    const everybody = await why("shop-key");
    expect(everybody).toMatch(/meets every requirement/);
    expect(await why("union-key")).toBe("Score 640 is below 700");
    file("tenant.json", strict(800));
    await expect.poll(() => why("union-key")).toBe("Score 640 is below 800");
    expect(await why("shop-key")).toBe(everybody);
    await stop(service);
    expect(service.output()).not.toContain("-key");
  });

  it("moves callers to version 2.0.0 of loan-approval as the roll-out says", async () => {
    const environment = { DECERN_CALLERS: "shop=shop-key,web-shop=web-key", DECERN_ROLL_OUT: "10" };
    const service = await startService([], environment);
    const version = async (key: string): Promise<unknown> =>
      (await ask(service, { input: loan }, { "x-api-key": key })).body.meta.decisionVersion;
    expect(await version("shop-key")).toBe("2.0.0");
    expect(await version("web-key")).toBe("1.2.0");
    await stop(service);
    const over = await startService(["--roll-out=100"], environment);
    const reply = await ask(over, { input: loan }, { "x-api-key": "web-key" });
    expect(reply.body.meta.decisionVersion).toBe("2.0.0");
    await stop(over);
  });

  it("requires a key if any are set, and documents it", async () => {
    const service = await startService([], { DECERN_API_KEYS: "old-key, new-key" });
    for (const headers of [{}, { "x-api-key": "guess" }, { "x-api-key": "old-key, new-key" }]) {
      expect(await ask(service, { input: loan }, headers)).toMatchObject({
        status: 401,
        body: { code: "UNAUTHORIZED" },
      });
    }
    for (const key of ["old-key", "new-key"]) {
      const headers = { "x-api-key": key };
      expect((await ask(service, { input: loan }, headers)).status).toBe(200);
      const document = await (await fetch(`${service.url}/openapi.json`, { headers })).json();
      expect(document).toMatchObject({
        components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } } },
        security: [{ apiKey: [] }],
      });
    }
    // Probes send no key.
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    await stop(service);
    expect(service.output()).not.toContain("-key");
  });
});
