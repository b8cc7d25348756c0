import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { turn } from "../../../test/suites/gate.js";
import { createDecisionHandler, createDecisionHook, decisionPlugin } from "../src/index.js";
import { access, loan } from "./decisions.js";
import { recording } from "./recording.js";

const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => {
  process.on("unhandledRejection", collect);
  process.on("uncaughtException", collect);
});
afterAll(() => {
  process.off("unhandledRejection", collect);
  process.off("uncaughtException", collect);
  expect(unhandled).toEqual([]);
});

const open: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function listen(app: FastifyInstance): Promise<number> {
  open.push(app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}

/** Sends the beginning of a request, and hangs up when told. */
async function cut(port: number, text: string, when: Promise<unknown>): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  await when;
  socket.destroy();
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
/** Resolves when the server has seen the client go. */
const gone = (request: FastifyRequest): Promise<unknown> => once(request.raw.socket, "close");

it("serves the next client when one hangs up within its body, and evaluates nothing for it", async () => {
  const { options, counted, errors } = recording();
  const app = Fastify();
  await app.register(decisionPlugin, { decisions: [loan], ...options });
  const port = await listen(app);
  await cut(port, `${head("/loan", 100)}{"score":`, once(app.server, "request"));
  const reply = await fetch(`http://127.0.0.1:${port}/loan`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"score":700}',
  });
  expect(reply.status).toBe(200);
  expect([counted(), errors]).toEqual([["OK"], []]);
});

it("keeps nothing of a body that exceeds its limit", async () => {
  const app = Fastify({ bodyLimit: 1000 });
  await app.register(decisionPlugin, { decisions: [loan] });
  const port = await listen(app);
  const socket = connect(port, "127.0.0.1");
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
});

it.each([
  ["returns", false, "OK"],
  ["fails", true, "ERROR"],
])("counts once when a client hangs up before a resolver %s", async (_name, fails, status) => {
  const { options, counted } = recording();
  let entered: (() => void) | undefined;
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const profileResolver = async (request: FastifyRequest) => {
    entered?.();
    await gone(request);
    if (fails) throw new Error("boom");
    return {};
  };
  const app = Fastify();
  app.post("/loan", createDecisionHandler({ decision: loan, ...options, profileResolver }));
  const port = await listen(app);
  const body = '{"score":700}';
  await cut(port, head("/loan", body.length) + body, inside);
  await expect.poll(counted).toEqual([status]);
  await turn();
});

it("still denies when the client has gone", async () => {
  const { options, counted } = recording();
  let entered = 0;
  let begun: (() => void) | undefined;
  const inside = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const inputMapper = async (request: FastifyRequest) => {
    begun?.();
    await gone(request);
    return { role: "guest" };
  };
  const app = Fastify();
  const preHandler = createDecisionHook({ decision: access, ...options, inputMapper });
  app.post("/", { preHandler }, async () => {
    entered += 1;
    return "in";
  });
  const port = await listen(app);
  await cut(port, `${head("/", 2)}{}`, inside);
  await expect.poll(counted).toEqual(["OK"]);
  await turn();
  expect(entered).toBe(0);
});
