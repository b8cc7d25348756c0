import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { apiKeys, createServer } from "@decern/server";
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

  it("says how to run each file", () => {
    const programs = files.map(({ title }) => title).filter((title) => title !== "decisions.ts");
    expect(programs).toEqual(["evaluate.ts", "decisions.test.ts", "server.ts"]);
    const { scripts } = JSON.parse(/^```json title="package\.json"\n(.*?)^```$/ms.exec(text)?.[1] ?? "{}");
    const commands = [text, ...Object.values(scripts)].join("\n");
    for (const program of programs)
      expect(commands).toMatch(new RegExp(`^(npx tsx|node .*) ${program}$`, "m"));
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

  it("tests its decision, and notices a changed threshold", () => {
    const place = mkdtempSync(resolve(folder, "tested-"));
    for (const { title, code } of files) writeFileSync(resolve(place, title), code);
    // The command has tsx, and the demo hasn't.
    const tsx = pathToFileURL(createRequire(resolve(root, "apps/cli/package.json")).resolve("tsx")).href;
    const flags = ["--import", tsx, "--test", "decisions.test.ts"];
    const test = () => spawnSync(process.execPath, flags, { cwd: place }).status;
    expect(test()).toBe(0);
    const [changed = ""] = files.map(({ code }) => code.replace("minScore: 620", "minScore: 621"));
    writeFileSync(resolve(place, "decisions.ts"), changed);
    expect(test()).toBe(1);
  });

  it("shows the reply to its first call", async () => {
    const post = await serverOf(page, "createServer({ decisions, profiles })");
    const [curl] = curlsOf(page);
    const [, shown = ""] = /^```json\n(\{\n.*?)^```$/ms.exec(text) ?? [];
    const { meta, ...rest } = JSON.parse(shown);
    const evaluatedAt: unknown = expect.any(String);
    const reply = await post(curl?.url ?? "", curl?.body, curl?.headers);
    expect(reply.json()).toEqual({ ...rest, meta: { ...meta, evaluatedAt } });
  });
});

describe("the README", () => {
  const page = "README.md";

  it("prints what it shows, and serves the same decision", async () => {
    const text = readFileSync(resolve(root, page), "utf8");
    const [, shown] = /^```text\n(.*?)\n```$/ms.exec(text) ?? [];
    const place = mkdtempSync(resolve(folder, "readme-"));
    const [example] = examplesOf(page);
    writeFileSync(resolve(place, "decisions.ts"), example?.code ?? "");
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const { decisions } = await import(resolve(place, "decisions.ts"));
    expect(log.mock.calls.map((words) => words.join(" "))).toEqual([shown]);
    const [curl] = curlsOf(page);
    const response = await createServer({ decisions }).handler.inject({
      method: "POST",
      url: curl?.url ?? "",
      headers: curl?.headers ?? {},
      payload: JSON.stringify(curl?.body),
    });
    expect(response.json()).toMatchObject({ status: "OK", data: { approved: false } });
  });
});

describe("the guide to adapters", () => {
  it("calls Express and Fastify as it shows", async () => {
    const page = "docs/adapters.md";
    const place = mkdtempSync(resolve(folder, "adapters-"));
    const [start] = examplesOf("docs/getting-started.md");
    writeFileSync(resolve(place, "decisions.ts"), start?.code ?? "");
    for (const { title = "", code } of examplesOf(page))
      writeFileSync(
        resolve(place, title),
        code
          .replace(/^app\.listen\(\d+\)/m, "export const server = app.listen(0)")
          .replace(/^await app\.listen.*/m, "export { app };"),
      );
    const [curl] = curlsOf(page);
    const granted = { status: "OK", data: { approved: true } };
    const { server } = await import(resolve(place, "express-app.ts"));
    onTestFinished(() => server.close());
    const url = `http://localhost:${server.address().port}${curl?.url}`;
    const payload = JSON.stringify(curl?.body);
    const reply = await fetch(url, { method: "POST", headers: json, body: payload });
    expect(await reply.json()).toMatchObject(granted);
    const { app } = await import(resolve(place, "fastify-app.ts"));
    const injected = await app.inject({ method: "POST", url: curl?.url, headers: json, payload });
    expect(injected.json()).toMatchObject(granted);
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
    const post = await serverOf(page, "Bearer example");
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
    expect(north.json()).toMatchObject({ data: { approved: false } });
    expect(south.json()).toMatchObject({ data: { approved: true } });
  });
});

describe("the guide to versions", () => {
  const page = "docs/versions.md";

  /** A server with the versions of one of the page's files, and two callers. */
  async function serverWith(title: string): Promise<Post> {
    const place = mkdtempSync(resolve(folder, "versions-"));
    const [start] = examplesOf("docs/getting-started.md");
    writeFileSync(resolve(place, "decisions.ts"), start?.code ?? "");
    for (const { title, code } of examplesOf(page)) writeFileSync(resolve(place, title ?? ""), code);
    const { profiles } = await import(resolve(place, "decisions.ts"));
    const { decisions } = await import(resolve(place, "loans.ts"));
    const { versions } = await import(resolve(place, title));
    const authenticate = apiKeys({ keys: { "web-shop": "key-1", "call-centre": "key-2" } });
    const { handler } = createServer({ decisions, profiles, versions, authenticate });
    return (url, body, headers = {}) =>
      handler.inject({ method: "POST", url, headers, payload: JSON.stringify(body) });
  }

  it("runs the default, or the version in the path", async () => {
    const post = await serverOf(page, 'versions: { "loan-approval": { default: "1.2.0" } },');
    const replies = await Promise.all(
      curlsOf(page).map(({ url, body, headers }) => post(url, body, headers)),
    );
    expect(replies.map((reply) => reply.json())).toMatchObject([
      { data: { rate: 4.9 }, meta: { decisionVersion: "1.2.0" } },
      { data: { rate: 3.9 }, meta: { decisionVersion: "2.0.0" } },
    ]);
  });

  it("sends the headers of a deprecated version, and 410 for a retired one", async () => {
    const post = await serverWith("deprecated.ts");
    const text = readFileSync(resolve(root, page), "utf8");
    const shown = Object.fromEntries(
      [...text.matchAll(/`(Deprecation|Sunset|Link): ([^`]+)`/g)].map(([, name = "", value]) => [
        name.toLowerCase(),
        value,
      ]),
    );
    const headers = { ...json, "x-api-key": "key-1" };
    const old = await post("/decisions/loan-approval/versions/1.2.0", good, headers);
    expect(old.headers).toMatchObject(shown);
    expect(Object.keys(shown)).toHaveLength(3);
    expect((await post("/decisions/loan-approval/versions/1.1.0", good, headers)).statusCode).toBe(410);
  });

  it("rolls out to the caller that the page names, and to nobody else", async () => {
    const post = await serverWith("roll-out.ts");
    const webShop = await post("/decisions/loan-approval", good, { ...json, "x-api-key": "key-1" });
    const callCentre = await post("/decisions/loan-approval", good, { ...json, "x-api-key": "key-2" });
    expect(webShop.json()).toMatchObject({ meta: { decisionVersion: "1.2.0" } });
    expect(callCentre.json()).toMatchObject({ meta: { decisionVersion: "2.0.0" } });
  });
});

describe("the guide to decisions that use decisions", () => {
  it("gives the inner decision the host's profile", async () => {
    const place = mkdtempSync(resolve(folder, "composition-"));
    const [example] = examplesOf("docs/composition.md");
    writeFileSync(resolve(place, "loan-offer.ts"), example?.code ?? "");
    const { decisions, profiles } = await import(resolve(place, "loan-offer.ts"));
    const response = await createServer({ decisions, profiles }).handler.inject({
      method: "POST",
      url: "/decisions/loan-offer",
      payload: { input: { income: 4000, debts: 2000 } },
    });
    expect(response.json()).toMatchObject({
      data: { approved: false },
      meta: { explanation: "Credit: Debts exceed 0.4 of income" },
    });
  });
});
