import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { createServer } from "../../src/index.js";
import { post, probe } from "./fixtures.js";

it("clients that send their bodies slowly do not count towards maxConcurrent", async () => {
  const server = createServer({
    decisions: [probe],
    logger: false,
    overload: { maxConcurrent: 2 },
    requestTimeoutMs: 600_000,
  });
  let begun = 0;
  server.handler.addHook("onRequest", async () => {
    begun += 1;
  });
  const { port } = new URL(await server.handler.listen({ port: 0, host: "127.0.0.1" }));
  const head = "POST /decisions/probe HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
  const slow = Array.from({ length: 10 }, () => connect(Number(port), "127.0.0.1"));
  for (const socket of slow) {
    await once(socket, "connect");
    socket.write(`${head}content-length: 100\r\n\r\n{`);
  }
  await expect.poll(() => begun).toBe(slow.length);
  const replies = await Promise.all(
    [1, 2].map(() => post(server, { input: { case: "matches", secret: "s" } })),
  );
  expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200]);
  for (const socket of slow) socket.destroy();
  await server.close();
});
