import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { loan } from "../../../test/suites/loan-and-access.js";
import { decisionPlugin } from "../src/index.js";

it("keeps nothing of a body that exceeds its limit", async () => {
  const app = Fastify({ bodyLimit: 1000 });
  await app.register(decisionPlugin, { decisions: [loan] });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    "POST /loan HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
  );
  for (let sent = 0; sent < 20; sent += 1) socket.write(`400\r\n${" ".repeat(1024)}\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toContain("413");
  expect(answer.toString()).toContain("BODY_TOO_LARGE");
  socket.destroy();
  await app.close();
});
