import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { root } from "../examples/page-examples.js";
import { freePort } from "../support/listening.js";
import { recordedIds } from "../support/recorded-ids.js";
import { requestBody } from "../support/requests.js";
import { killAll, type Process, startProcess, startService, stop } from "../support/service.js";

const folder = mkdtempSync(join(tmpdir(), "decern-nginx-"));
afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

/** The proxy configuration of the deployment guide, with this test's ports. */
async function startProxy(
  ports: readonly [number, number],
): Promise<{ readonly url: string; readonly proxy: Process }> {
  const port = await freePort();
  const guide = readFileSync(join(root, "deploy/nginx.conf"), "utf8");
  const config = guide
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`)
    .replace("127.0.0.1:8080", `127.0.0.1:${port}`)
    .replace(
      "http {",
      `http {\n  access_log off;\n${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${folder}/${name};`).join("\n")}`,
    );
  const path = join(folder, "nginx.conf");
  writeFileSync(path, `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr warn;\n${config}`);
  await promisify(execFile)("nginx", ["-t", "-c", path, "-p", folder]);
  const proxy = startProcess("nginx", ["-c", path, "-p", folder]);
  const url = `http://127.0.0.1:${port}/decern`;
  for (;;) {
    const up = await fetch(`${url}/health/ready`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (up) return { url, proxy };
    if (proxy.child.exitCode !== null) throw new Error(`the proxy has ended: ${proxy.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it("a rolling restart of two processes behind a reverse proxy answers and evaluates every request once", async () => {
  const records = join(folder, "records");
  // Connections end all the time, and the proxy keeps those that do not. Without a shadow, each evaluation has one record.
  const flags = ["--max-connection-age", "200", "--roll-out", "100", "--records", records];
  let first = await startService(flags);
  let second = await startService(flags);
  const ports = [first.port, second.port] as const;
  const { url, proxy } = await startProxy(ports);
  const body = requestBody("loan-approval/prime.json");
  const answers = new Map<string, number>();
  let going = true;
  let sent = 0;
  const work = Array.from({ length: 16 }, async () => {
    while (going) {
      sent += 1;
      const id = `call-${sent}`;
      const answer = await fetch(`${url}/decisions/loan-approval`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-request-id": id },
        body: new Uint8Array(body),
      }).then(
        async (reply) => {
          const text = `${reply.status} ${(await reply.text()).slice(0, 14)}`;
          return reply.headers.get("x-request-id") === id ? text : `${text}, with another id`;
        },
        (error: Error) => String(error.cause ?? error),
      );
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  });
  const served = (): number => answers.get('200 {"status":"OK"') ?? 0;
  /** Waits until the clients have received this many more replies. An unexpected reply ends the wait. */
  const goOn = async (count: number) => {
    const until = served() + count;
    await expect.poll(() => served() >= until || answers.size > 1).toBe(true);
  };
  for (let round = 0; round < 3; round += 1) {
    await goOn(100);
    expect(await stop(first)).toEqual({ code: 0, signal: null });
    first = await startService([...flags, "--port", String(ports[0])]);
    await goOn(100);
    expect(await stop(second)).toEqual({ code: 0, signal: null });
    second = await startService([...flags, "--port", String(ports[1])]);
  }
  await goOn(100);
  going = false;
  await Promise.all(work);
  await Promise.all([stop(first), stop(second)]);
  await stop(proxy, "SIGQUIT");
  console.log(`six restarts: ${JSON.stringify(Object.fromEntries(answers))}`);
  expect([...answers.keys()], proxy.output()).toEqual(['200 {"status":"OK"']);
  expect(served()).toBe(sent);
  const ids = recordedIds(records);
  expect(ids).toHaveLength(sent);
  expect(new Set(ids).size).toBe(sent);
});

it("pages and their files work behind the prefix", async () => {
  const service = await startService();
  const { url, proxy } = await startProxy([service.port, service.port]);
  for (const page of ["/docs", "/swagger"]) {
    const reply = await fetch(url + page);
    const html = await reply.text();
    const links = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link]) => link ?? "");
    expect(links.length, page).toBeGreaterThan(1);
    for (const link of links) {
      if (link.startsWith("data:")) continue;
      const target = new URL(link, reply.url);
      expect(target.pathname.startsWith("/decern/"), `${page} links to ${link}`).toBe(true);
      expect((await fetch(target)).status, `${page} links to ${link}`).toBe(200);
    }
  }
  await stop(proxy, "SIGQUIT");
  await stop(service);
});
