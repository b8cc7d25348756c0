import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { sendHalf } from "../support/half-request.js";
import { killAll, startService, stop } from "../support/service.js";

afterAll(killAll);

/** Whether nobody takes connections there any more. Not `fetch`: Node 20's never settles when its connection is ended early. */
function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  it("finishes the request that is under way, takes no new connection, and ends with 0", async () => {
    const service = await startService();
    const half = await sendHalf(service.port);
    await sleep(200);
    const ended = stop(service, signal);
    await expect.poll(() => refuses(service.port), { timeout: 5_000 }).toBe(true);
    expect(service.child.exitCode).toBeNull();
    const reply = await half.finish();
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply).toContain('"matchedRule":"prime"');
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

it("does not wait for connections on which nothing is under way", async () => {
  const service = await startService();
  const agent = new Agent({ keepAlive: true });
  await new Promise((resolve, reject) => {
    get(`${service.url}/health/live`, { agent }, (response) => response.resume().on("end", resolve)).on(
      "error",
      reject,
    );
  });
  const started = performance.now();
  expect(await stop(service)).toEqual({ code: 0, signal: null });
  // Node keeps an idle connection for five seconds and more.
  expect(performance.now() - started).toBeLessThan(3_000);
  agent.destroy();
});

it("a second signal does not wait", async () => {
  const service = await startService();
  const half = await sendHalf(service.port);
  half.socket.on("error", () => {});
  await sleep(200);
  service.child.kill("SIGTERM");
  await expect.poll(() => refuses(service.port), { timeout: 5_000 }).toBe(true);
  expect(await stop(service, "SIGINT")).toEqual({ code: 1, signal: null });
  half.socket.destroy();
});
