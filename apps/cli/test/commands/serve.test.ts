import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { type DecernOptions, decernProcess, startDecern } from "../support/decern.js";
import { LiveFolder, liveModule } from "../support/live-folder.js";

const module = fileURLToPath(new URL("../support/loans.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "decern-serve-"));
const running = new Set<ReturnType<typeof startDecern>>();
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(args: readonly string[], options: DecernOptions = {}, served = module) {
  const child = startDecern(["serve", served, ...args], { cwd: folder, ...options });
  running.add(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const ended = once(child, "close").then(() => child.exitCode);
  await expect.poll(() => child.exitCode !== null || /API: +http/.test(stderr)).toBe(true);
  const url = /API: +(http\S+?)\/decisions/.exec(stderr)?.[1];
  if (url === undefined) throw new Error(`it does not listen: ${stderr}`);
  return { child, url, ended, stdout: () => stdout, stderr: () => stderr };
}

async function ask(url: string, id: string, input: unknown) {
  const reply = await fetch(`${url}/decisions/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "secret" },
    body: JSON.stringify({ input }),
  });
  return { status: reply.status, body: await reply.json() };
}

describe("decern serve", () => {
  it("serves the module with its options, a page, metrics and a document, until it is told to stop", async () => {
    const { child, url, ended, stdout } = await serve(["--port", "0"]);
    expect(await ask(url, "loan", { amount: 900 })).toMatchObject({
      status: 200,
      body: { status: "OK", meta: { decisionVersion: "1.0.0" } },
    });
    expect((await fetch(`${url}/decisions`)).status).toBe(401);
    for (const path of ["/docs", "/openapi.json", "/metrics"]) {
      const { status } = await fetch(url + path, { headers: { "x-api-key": "secret" } });
      expect(status, path).toBe(200);
    }
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(stdout()).toBe("");
  });

  it("takes its port from the environment, and stops at Ctrl-C", async () => {
    const { child, url, ended } = await serve([], { env: { PORT: "0", HOST: "127.0.0.1" } });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  it("keeps records, whose last one is written when it stops", async () => {
    const env = { GIT_SHA: "4f1c" };
    const { child, url, ended } = await serve(["--port", "0", "--records", "kept"], { env });
    await ask(url, "loan", { amount: 900 });
    await ask(url, "loan", { amount: 5000 });
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const kept = join(folder, "kept");
    const lines = readdirSync(kept)
      .filter((name) => name.endsWith(".ndjson"))
      .flatMap((name) => readFileSync(join(kept, name), "utf8").trim().split("\n"))
      .map((line) => JSON.parse(line));
    const records = lines.filter((line) => "recordId" in line);
    expect(records.map(({ status, build }) => [status, build])).toEqual([
      ["OK", "4f1c"],
      ["NO_MATCH", "4f1c"],
    ]);
  });

  it("takes profiles from a file, and the others from the module", async () => {
    writeFileSync(join(folder, "profiles.json"), JSON.stringify({ loan: { most: 10 } }));
    const { url } = await serve(["--port", "0", "--profiles", "profiles.json"]);
    expect(await ask(url, "loan", { amount: 900 })).toMatchObject({ body: { status: "NO_MATCH" } });
  });

  it("follows a module whose decisions change, of which other commands take the present set", async () => {
    const tables = new LiveFolder();
    onTestFinished(() => tables.remove());
    const { env } = tables;
    tables.publish("loan", "1");
    tables.publish("credit", "1");
    const { url } = await serve(["--port", "0"], { env }, liveModule);
    const granted = (version: string, isGranted: boolean) => ({
      body: {
        data: { granted: isGranted },
        meta: { decisionVersion: version, matchedRule: `low-${version}` },
      },
    });
    expect(await ask(url, "loan", { amount: 900 })).toMatchObject(granted("1", true));
    tables.publish("loan", "2", false);
    await expect.poll(() => ask(url, "loan", { amount: 900 })).toMatchObject(granted("2", false));
    expect(await ask(url, "credit", { amount: 50 })).toMatchObject(granted("1", true));

    const input = '{"amount":900}';
    const evaluated = await decernProcess(["eval", liveModule, "loan"], { env, input });
    expect({ code: evaluated.code, envelope: JSON.parse(evaluated.stdout) }).toMatchObject({
      code: 0,
      envelope: granted("2", false).body,
    });
    const document = await decernProcess(["openapi", liveModule], { env });
    expect(JSON.parse(document.stdout).paths).toHaveProperty(["/decisions/credit"]);
    tables.publish("loan", "3\nhit policy,X");
    const wrong = await decernProcess(["eval", liveModule, "loan"], { env, input });
    expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 1, stdout: "" });
    expect(wrong.stderr).toMatch(/^decern: \S+live-loans\.mjs: .*loan/);
  });

  it.each([
    ["a wrong port", ["--port", "65536"], /^decern: the port must be a number from 0 to 65535, not "65536"$/],
    ["a host that is not there", ["--port", "0", "--host", "192.0.2.1"], /cannot listen on 192\.0\.2\.1/],
    ["no such file of profiles", ["--port", "0", "--profiles", "none.json"], /none\.json/],
  ])("exits with 1 for %s, with one sentence", async (_what, args, sentence) => {
    const { code, stdout, stderr } = await decernProcess(["serve", module, ...args], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(sentence);
  });

  it("exits with 1 when the port is in use, and names it", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const ended = await decernProcess(["serve", module, "--host", "127.0.0.1", "--port", String(port)]);
    other.close();
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(new RegExp(`^decern: Port already in use: 127\\.0\\.0\\.1:${port}`));
    // What a program would do instead is of no use here.
    expect(ended.stderr).not.toContain("listen()");
  });
});
