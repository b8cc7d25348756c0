import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { sendHalf } from "../support/half-request.js";
import { killAll, startService, stop } from "../support/service.js";

afterAll(killAll);

/** Whether the port refuses connections. An accepted connection proves nothing, because its request may never get a reply. */
function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => resolve(true));
    socket.on("connect", () => {
      socket.destroy();
      resolve(false);
    });
  });
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  it("finishes the current request, accepts no new connection, and exits with 0", async () => {
    const service = await startService();
    const half = await sendHalf(service.port);
    const ended = stop(service, signal);
    await expect.poll(() => refuses(service.port)).toBe(true);
    expect(service.child.exitCode).toBeNull();
    const reply = await half.finish();
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply).toContain('"matchedRule":"prime"');
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

it("ends idle connections before the current request has finished", async () => {
  const service = await startService();
  const idle = connect(service.port, "127.0.0.1");
  idle.write("GET /health/live HTTP/1.1\r\nhost: demo\r\n\r\n");
  expect(String(await once(idle, "data"))).toMatch(/^HTTP\/1\.1 200 /);
  const half = await sendHalf(service.port);
  const ended = stop(service);
  await once(idle.resume(), "close");
  expect(service.child.exitCode).toBeNull();
  expect(await half.finish()).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ended).toEqual({ code: 0, signal: null });
});

it("a second signal does not wait", async () => {
  const service = await startService();
  const half = await sendHalf(service.port);
  half.socket.on("error", () => {});
  service.child.kill("SIGTERM");
  await expect.poll(() => refuses(service.port)).toBe(true);
  expect(await stop(service, "SIGINT")).toEqual({ code: 1, signal: null });
  half.socket.destroy();
});
