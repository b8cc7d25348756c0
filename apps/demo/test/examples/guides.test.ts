import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { examplesOf, root } from "./page-examples.js";

// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(root, "apps/demo/test/examples/.guides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `inject` of a server is told and returns. */
interface Reply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  json(): unknown;
}

/** Sends a body to a path of a server that a page shows. */
type Post = (url: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Reply>;

/**
 * Runs a server that a page shows, without its port.
 *
 * @param part - text that only this server's block has
 */
async function serverOf(page: string, part: string): Promise<Post> {
  const examples = examplesOf(page);
  const example = examples.find(({ code }) => code.includes("createServer({") && code.includes(part));
  if (example === undefined) throw new Error(`${page} has no server with ${part}`);
  const place = mkdtempSync(resolve(folder, "server-"));
  mkdirSync(place, { recursive: true });
  const start = examplesOf("docs/getting-started.md").find(({ title }) => title === "decisions.ts");
  writeFileSync(resolve(place, "decisions.ts"), start?.code ?? "");
  for (const { title, code } of examples) {
    if (title !== undefined) writeFileSync(resolve(place, title), code);
  }
  const file = resolve(place, "example.ts");
  const unheard = example.code.replace(/^await server\.listen\(3000\);$/m, "");
  writeFileSync(file, unheard.replace(/^(?:export )?const server =/m, "export const server ="));
  const { server } = await import(file);
  return (url, body, headers = {}) =>
    server.handler.inject({ method: "POST", url, headers, payload: JSON.stringify(body) });
}

/** The requests that a page sends with curl, in order. */
function curlsOf(page: string): readonly { url: string; headers: Record<string, string>; body: unknown }[] {
  const text = readFileSync(resolve(root, page), "utf8");
  return [...text.matchAll(/^curl -s localhost:3000(\S+)(.*?) -d '(\{.*\})'/gm)].map(
    ([, url = "", options = "", body = ""]) => ({
      url,
      headers: Object.fromEntries(
        [...options.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = "", value = ""]) => [name, value]),
      ),
      body: JSON.parse(body),
    }),
  );
}

const json = { "content-type": "application/json" };
const good = { input: { amount: 9000, score: 700 } };

describe("getting started", () => {
  const page = "docs/getting-started.md";
  const text = readFileSync(resolve(root, page), "utf8");
  const files = examplesOf(page).map(({ title, code }) => ({ title: title ?? "without a name", code }));
  /** Writes the files of the page, with any free port, and imports one. */
  const startedAs = async (title: string) => {
    const place = mkdtempSync(resolve(folder, "started-"));
    for (const { title, code } of files)
      writeFileSync(
        resolve(place, title),
        code
          .replace(/^app\.listen\(\d+\)/m, "export const server = app.listen(0)")
          .replace(/^await app\.listen.*/m, "export { app };"),
      );
    return await import(resolve(place, title));
  };

  it("says how to run each file, each server on a port of its own", () => {
    const programs = files.map(({ title }) => title).filter((title) => title !== "decisions.ts");
    expect(programs).toEqual(["evaluate.ts", "server.ts", "express-app.ts", "fastify-app.ts"]);
    expect([...text.matchAll(/^npx tsx (\S+)$/gm)].map(([, file]) => file)).toEqual(programs);
    const listening = files.flatMap(({ code }) => /listen\((?:\{ port: )?(\d+)/.exec(code)?.[1] ?? []);
    const called = [...text.matchAll(/^curl -s localhost:(\d+)/gm)].map(([, port]) => port);
    expect(called).toEqual(listening);
    expect(new Set(listening).size).toBe(3);
  });

  it("prints what its first program says", async () => {
    const [, shown] = /^```text\n(.*?)\n```$/ms.exec(text) ?? [];
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    await startedAs("evaluate.ts");
    expect(log.mock.calls.map((words) => words.join(" "))).toEqual([shown]);
  });

  it("compiles with its tsconfig.json, libraries included", async () => {
    const place = mkdtempSync(resolve(folder, "compiled-"));
    for (const { title, code } of files) writeFileSync(resolve(place, title), code);
    const [, settings = ""] = /^```json title="tsconfig\.json"\n(.*?)^```$/ms.exec(text) ?? [];
    writeFileSync(resolve(place, "tsconfig.json"), settings);
    const tsc = resolve(root, "node_modules/typescript/bin/tsc");
    // Its settings are strict, and it reads the folder.
    writeFileSync(resolve(place, "wrong.ts"), "export const same = (value) => value;\n");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", place], { encoding: "utf8" });
    expect(stdout.trim().split("\n")).toEqual([expect.stringMatching(/wrong\.ts.* error TS7006: /)]);
  });

  it("calls Express and Fastify as it shows", async () => {
    const [express, fastify] = [...text.matchAll(/^curl -s localhost:300[12](\S+) .* -d '(.*)'$/gm)];
    const granted = { status: "OK", data: { approved: true } };
    const { server } = await startedAs("express-app.ts");
    onTestFinished(() => server.close());
    const url = `http://localhost:${server.address().port}${express?.[1]}`;
    const reply = await fetch(url, { method: "POST", headers: json, body: express?.[2] ?? "" });
    expect(await reply.json()).toMatchObject(granted);
    const { app } = await startedAs("fastify-app.ts");
    const [, path, payload] = fastify ?? [];
    const injected = await app.inject({ method: "POST", url: path, headers: json, payload });
    expect(injected.json()).toMatchObject(granted);
  });

  it("shows the reply to its first call", async () => {
    const post = await serverOf(page, "openapi(");
    const [curl] = curlsOf(page);
    const [, shown = ""] = /^```json\n(\{\n.*?)^```$/ms.exec(text) ?? [];
    const { meta, ...rest } = JSON.parse(shown);
    const evaluatedAt: unknown = expect.any(String);
    const reply = await post(curl?.url ?? "", curl?.body, curl?.headers);
    expect(reply.json()).toEqual({ ...rest, meta: { ...meta, evaluatedAt } });
  });
});

describe("the guide to callers", () => {
  const page = "docs/callers.md";

  it("refuses a caller who may not use the decision, as the page shows", async () => {
    const post = await serverOf(page, "beforeEvaluate");
    const [curl] = curlsOf(page);
    const shown = /^\{ "error": .*\}$/m.exec(readFileSync(resolve(root, page), "utf8"))?.[0] ?? "";
    const reply = await post(curl?.url ?? "", curl?.body, curl?.headers);
    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toEqual(JSON.parse(shown));
  });

  it("lets a caller in who may, with either key, and nobody without a key", async () => {
    const post = await serverOf(page, "beforeEvaluate");
    for (const key of ["current-key", "previous-key"]) {
      const reply = await post("/decisions/loan-approval", good, { ...json, "x-api-key": key });
      expect(reply.json()).toMatchObject({ status: "OK", data: { approved: true } });
    }
    expect((await post("/decisions/loan-approval", good, json)).statusCode).toBe(401);
  });

  it("gives a tenant its own profile, by the identity", async () => {
    const post = await serverOf(page, "findUser");
    const body = { input: { amount: 9000, score: 650 } };
    const reply = await post("/decisions/loan-approval", body, { ...json, authorization: "Bearer example" });
    expect(reply.json()).toMatchObject({ data: { approved: false } });
    expect((await post("/decisions/loan-approval", body, json)).statusCode).toBe(401);
  });
});

describe("the guide to profiles", () => {
  const page = "docs/profiles.md";

  it("lets callers choose the profile that the host lists, and no other", async () => {
    const post = await serverOf(page, "callerProfiles");
    const curl = curlsOf(page).find(({ body }) => Object(body).profileName !== undefined);
    const { url, headers, body } = curl ?? { url: "", headers: {}, body: undefined };
    expect((await post(url, body, headers)).json()).toMatchObject({ data: { approved: false } });
    const plain = { input: { amount: 9000, score: 650 } };
    expect((await post(url, plain, headers)).json()).toMatchObject({ data: { approved: true } });
    const refused = await post(url, { ...plain, profileName: "staff" }, headers);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: "PROFILE_NOT_OFFERED" });
  });

  it("gives each tenant its profile", async () => {
    const post = await serverOf(page, "bank-north");
    const body = { input: { amount: 9000, score: 640 } };
    const north = await post("/decisions/loan-approval", body, { ...json, "x-api-key": "key-1" });
    const south = await post("/decisions/loan-approval", body, { ...json, "x-api-key": "key-2" });
    expect([north.json(), south.json()]).toMatchObject([
      { data: { approved: false } },
      { data: { approved: true } },
    ]);
  });
});

describe("the guide to versions", () => {
  const page = "docs/versions.md";

  it("runs the default, or the version in the path", async () => {
    const post = await serverOf(page, 'versions: { "loan-approval": { default: "1.2.0" } },\n});');
    const replies = await Promise.all(
      curlsOf(page).map(({ url, body, headers }) => post(url, body, headers)),
    );
    expect(replies.map((reply) => reply.json())).toMatchObject([
      { data: { approved: true }, meta: { decisionVersion: "1.2.0" } },
      { data: { approved: false }, meta: { decisionVersion: "2.0.0" } },
    ]);
  });

  it("sends the headers of a deprecated version, and 410 for a retired one", async () => {
    const post = await serverOf(page, "retired:");
    const text = readFileSync(resolve(root, page), "utf8");
    const shown = Object.fromEntries(
      [...text.matchAll(/`(Deprecation|Sunset|Link): ([^`]+)`/g)].map(([, name = "", value]) => [
        name.toLowerCase(),
        value,
      ]),
    );
    const old = await post("/decisions/loan-approval/versions/1.2.0", good, json);
    expect(old.headers).toMatchObject(shown);
    expect(Object.keys(shown)).toHaveLength(3);
    expect((await post("/decisions/loan-approval/versions/1.1.0", good, json)).statusCode).toBe(410);
  });

  it("rolls out to the caller that the page names, and to nobody else", async () => {
    const post = await serverOf(page, "stableBucket");
    const webShop = await post("/decisions/loan-approval", good, { ...json, "x-api-key": "key-1" });
    const callCentre = await post("/decisions/loan-approval", good, { ...json, "x-api-key": "key-2" });
    expect([webShop.json(), callCentre.json()]).toMatchObject([
      { meta: { decisionVersion: "1.2.0" } },
      { meta: { decisionVersion: "2.0.0" } },
    ]);
  });
});

describe("the guide to decisions that use decisions", () => {
  it("gives the inner decision the host's profile", async () => {
    const post = await serverOf("docs/composition.md", "credit-score");
    const body = { input: { amount: 9000, income: 4000, debts: 2000 }, profile: { maxAmount: 10_000 } };
    expect((await post("/decisions/loan-offer", body, json)).json()).toMatchObject({
      data: { approved: false },
      meta: { explanation: "Credit: Debts exceed 0.4 of the income" },
    });
  });
});
