import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { send } from "./raw-request.js";

// Node opens many modules at once at start, which needs more than 100.
const descriptors = 200;
let service: ChildProcess;
let clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  service.kill("SIGKILL");
  await once(service, "exit");
});

/** The service in a separate process with a limited number of descriptors. */
async function start(): Promise<number> {
  const path = fileURLToPath(new URL("few-descriptors-service.mjs", import.meta.url));
  const command = `ulimit -n ${descriptors} && exec "$0" "$1"`;
  service = spawn("bash", ["-c", command, process.execPath, path], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  for await (const chunk of service.stdout ?? []) {
    printed += String(chunk);
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`not started: ${printed}`);
}

/** Keeps requesting a script without reading anything. */
function stall(port: number): void {
  const client = connect(port, "127.0.0.1");
  client.on("error", () => {});
  client.pause();
  client.write("GET /swagger/static/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n".repeat(8));
  clients.push(client);
}

/** Requests until there is a reply. */
async function answerOf(port: number): Promise<number> {
  for (;;) {
    try {
      return (await send(port, { method: "GET", path: "/health/live" })).status;
    } catch {
      // No descriptor was left for this connection.
      await wait(20);
    }
  }
}

it.skipIf(process.platform === "win32")(
  "clients that read nothing do not lock out others while descriptors are left, nor permanently when there are none",
  async () => {
    const port = await start();
    while (clients.length < descriptors / 2) stall(port);
    expect(await answerOf(port)).toBe(200);

    while (clients.length < descriptors * 3) stall(port);
    expect(await answerOf(port)).toBe(200);
  },
);
