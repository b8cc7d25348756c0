import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Connections } from "../src/connections/connections.js";
import { RawClient } from "./support/raw-client.js";

let connections: Connections;
let server: ReturnType<typeof createServer>;
let client: RawClient;

beforeEach(async () => {
  connections = new Connections();
  server = createServer(connections.tracking((_request, response) => void response.end("answer")));
  connections.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port }: Partial<AddressInfo> = Object(server.address());
  [client] = await Promise.all([RawClient.open(port ?? 0), once(server, "connection")]);
});
afterEach(() => {
  connections.endAll();
  server.close();
});

it("gives a connection that was just opened a second look before it is ended", async () => {
  connections.endIdle();
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await client.until(/answer$/);
  // It was used since: once more.
  connections.endIdle();
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await client.until(/answer[\s\S]*answer$/);
  connections.endIdle();
  connections.endIdle();
  expect((await client.ended).match(/200 OK/g)).toHaveLength(2);
});
