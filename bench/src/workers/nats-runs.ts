import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { natsSource, setUpNats } from "@decern/nats";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { inTemporaryFolder } from "../log/temporary-folder.js";
import { startProgram } from "./started-process.js";
import { secondsOfWorker } from "./worker-run.js";
import type { WorkerRun } from "./worker-runs.js";

/** Inputs in one message. */
const perMessage = 100;

/** Runs a worker on NATS JetStream, and a bare consumer that acknowledges the same messages. Absent without nats-server. */
export async function natsRuns(
  lines: readonly string[],
  rounds: number,
): Promise<readonly WorkerRun[] | undefined> {
  if (spawnSync("nats-server", ["--version"]).error !== undefined) return undefined;
  return await inTemporaryFolder(async (folder) => {
    const config = join(folder, "nats.conf");
    writeFileSync(config, `listen: "127.0.0.1:-1"\njetstream { store_dir: ${JSON.stringify(folder)} }\n`);
    const server = await startProgram("nats-server", ["--config", config], (output) =>
      output.includes("Server is ready"),
    );
    const address = /client connections on (\S+:\d+)/.exec(server.output)?.[1] ?? "";
    const connection = await connect({ servers: address });
    try {
      const worker: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        bare.push(await secondsOfConsumer(connection, `BARE${round}`, lines));
        worker.push(await secondsOnStream(connection, `WORK${round}`, lines));
      }
      return [
        { name: "limit: a bare JetStream consumer", seconds: bare },
        { name: `worker on NATS JetStream, ${perMessage} inputs a message`, seconds: worker },
      ];
    } finally {
      await connection.close();
      await server.stop("SIGKILL");
    }
  });
}

async function secondsOnStream(
  connection: NatsConnection,
  stream: string,
  lines: readonly string[],
): Promise<number> {
  const names = { stream, consumer: "workers", results: `answers.${stream}` };
  await fill(connection, names, lines);
  return await secondsOfWorker(natsSource({ ...names, connection }), lines.length);
}

async function secondsOfConsumer(
  connection: NatsConnection,
  stream: string,
  lines: readonly string[],
): Promise<number> {
  const messages = await fill(connection, { stream, consumer: "bare", results: `answers.${stream}` }, lines);
  const consumer = await jetstream(connection).consumers.get(stream, "bare");
  const began = performance.now();
  const taken = await consumer.consume({ max_messages: 1000 });
  let count = 0;
  for await (const message of taken) {
    message.ack();
    count += 1;
    if (count === messages) break;
  }
  await connection.flush();
  const seconds = (performance.now() - began) / 1000;
  assert.equal(count, messages);
  return seconds;
}

/** @returns how many messages there are */
async function fill(
  connection: NatsConnection,
  names: { readonly stream: string; readonly consumer: string; readonly results: string },
  lines: readonly string[],
): Promise<number> {
  const subject = `in.${names.stream}`;
  await setUpNats({ ...names, connection, subjects: [subject] });
  const client = jetstream(connection);
  for (let start = 0; start < lines.length; start += perMessage) {
    await client.publish(subject, lines.slice(start, start + perMessage).join("\n"));
  }
  const info = await (await jetstreamManager(connection)).streams.info(names.stream);
  return info.state.messages;
}
