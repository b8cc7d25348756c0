import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { type App, type Framework, starter } from "./framework.js";
import { gate, turn } from "./gate.js";
import { access, loan } from "./loan-and-access.js";

async function listening(app: App) {
  const server = await app.listen();
  const address = server.address();
  return { server, port: typeof address === "object" && address !== null ? address.port : 0 };
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

const connections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

/** Checks what is left of a request whose client hangs up. */
export function abortedSuite<Request, Reply>(framework: Framework<Request, Reply>): void {
  const { set, one, guard } = framework.ways;

  describe(`${framework.name}, clients that hang up`, () => {
    const start = starter(framework);

    /** Makes a callback that ends once the server has seen the client go. */
    const untilGone = (end: () => unknown) => {
      const inside = gate();
      const callback = async (request: Request) => {
        inside.open();
        await once(framework.raw(request).socket, "close");
        return end();
      };
      return { inside: inside.opened, callback };
    };

    it("within the body: nothing is evaluated, nothing is left, the next one is served", async () => {
      const { app, counted, errors } = await start(set, { decision: loan });
      const { server, port } = await listening(app);
      await cut(port, `${head("/loan", 100)}{"score":`, once(server, "request"));
      const reply = await fetch(`http://127.0.0.1:${port}/loan`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"score":700}',
      });
      expect(reply.status).toBe(200);
      await expect
        .poll(() => {
          server.closeIdleConnections();
          return connections(server);
        })
        .toBe(0);
      expect(counted()).toEqual(["OK"]);
      expect(errors).toEqual([]);
    });

    it.each(
      one.flatMap((way) => [
        [way, "returns", () => ({}), "OK"] as const,
        [way, "fails", () => Promise.reject(new Error("boom")), "ERROR"] as const,
      ]),
    )("before a resolver of %s %s: counted once, nothing thrown", async (way, _name, end, status) => {
      const { inside, callback } = untilGone(end);
      const { app, counted } = await start(way, { decision: loan, profileResolver: callback });
      const { port } = await listening(app);
      const body = '{"score":700}';
      await cut(port, head("/loan", body.length) + body, inside);
      await expect.poll(counted).toEqual([status]);
      await turn();
    });

    it("before a guard has decided: the request is still denied", async () => {
      const { inside, callback } = untilGone(() => ({ role: "guest" }));
      const { app, counted, entered } = await start(guard[0], { decision: access, inputMapper: callback });
      const { port } = await listening(app);
      await cut(port, `${head(`/${access.id}`, 2)}{}`, inside);
      await expect.poll(counted).toEqual(["OK"]);
      await turn();
      expect(entered).toEqual([]);
    });
  });
}
