import { readFile } from "node:fs/promises";
import { natsSource } from "@decern/nats";
import { type ConnectionOptions, connect, credsAuthenticator } from "@nats-io/transport-node";
import { CommandError } from "../command-line/command.js";
import { sentenceOf } from "../text/text.js";
import type { OpenSource, SourceUser, WorkerPlace } from "./worker-call.js";

type NatsPlace = Extract<WorkerPlace, { readonly kind: "nats" }>;

export async function openNats(place: NatsPlace, { id, env }: SourceUser): Promise<OpenSource> {
  const { url, stream, consumer, results } = place;
  const options = { ...(await accessOf(url, env)), name: `decern worker ${id}` };
  const connection = await connect({
    ...options,
    servers: url.host,
    // A worker outlives its server.
    maxReconnectAttempts: -1,
  }).catch((cause: unknown) => {
    throw new CommandError(`cannot connect to NATS at ${url.host}: ${sentenceOf(cause)}`, { cause });
  });
  const source = natsSource({ connection, stream, consumer, results });
  try {
    await source.open();
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
  return {
    source,
    name: `stream ${stream} of ${url.host}`,
    lost: connection
      .closed()
      .then((reason) => `the connection to NATS is closed${reason ? `: ${sentenceOf(reason)}` : ""}`),
    end: () => connection.close(),
  };
}

async function accessOf(url: URL, env: SourceUser["env"]): Promise<ConnectionOptions> {
  const { NATS_CREDS: file, NATS_PASSWORD: password } = env;
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password) || password;
  return {
    ...(url.protocol === "tls:" ? { tls: {} } : {}),
    ...(user === "" ? {} : { user }),
    ...(user === "" || pass === undefined ? {} : { pass }),
    ...(file === undefined || file === "" ? {} : { authenticator: credsAuthenticator(await readFile(file)) }),
  };
}
