import type { BulkResult, TakenBatch } from "@decern/bulk";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection, nanos } from "@nats-io/transport-node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type NatsServer, startNats } from "../../../test/support/nats-server.js";
import { type NatsSource, natsSource, setUpNats } from "../src/index.js";

let server: NatsServer;
let connection: NatsConnection;
let stop: AbortController;
let test = 0;
beforeAll(async () => {
  server = await startNats();
  connection = await connect({ servers: server.address });
});
afterAll(async () => {
  await connection.close();
  await server.remove();
});
beforeEach(() => {
  test += 1;
  stop = new AbortController();
});
afterEach(() => stop.abort());

/** Streams and subjects of one test. */
const names = () => ({ stream: `S${test}`, consumer: "workers", results: `answers.${test}` });
const layout = () => ({ ...names(), connection, subjects: [`in.${test}`], ackWaitMs: 60_000 });
const makeSource = () => natsSource({ ...names(), connection });
const publish = (text: string) => jetstream(connection).publish(`in.${test}`, text);
const take = async (source = makeSource(), max = 100) => {
  const batch = await source.take(max, stop.signal);
  if (batch === undefined) throw new Error("a stream does not end");
  return batch;
};
const positionsOf = ({ items }: TakenBatch) => items.map(({ position }) => position);
const resultsOf = ({ items }: TakenBatch): readonly BulkResult[] =>
  items.map(({ position, bytes }) => ({ position, status: "OK", text: Buffer.from(bytes).toString() }));

async function stored(subject: string) {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(`S${test}-RESULTS`);
  const messages = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage(`S${test}-RESULTS`, { seq });
    if (message?.subject === subject) messages.push(message);
  }
  return messages;
}

const pendingOf = async () => {
  const info = await (await jetstreamManager(connection)).consumers.info(`S${test}`, "workers");
  return info.num_pending + info.num_ack_pending;
};

it("publishes the results of each message as one, and then acknowledges it", async () => {
  await setUpNats(layout());
  await publish("1\n2\n3\n");
  await publish("4");
  const source = makeSource();
  const first = await take(source);
  expect(positionsOf(first)).toEqual(["1:1", "1:2", "1:3"]);
  const second = await take(source);
  expect(positionsOf(second)).toEqual(["2"]);
  await first.commit(resultsOf(first));
  await second.commit(resultsOf(second));
  const answers = await stored(names().results);
  expect(answers.map((message) => message.string())).toEqual(["1\n2\n3", "4"]);
  expect(answers.map(({ header }) => header.get("Nats-Msg-Id"))).toEqual([
    expect.stringMatching(new RegExp(`^S${test}:workers:1:\\d{19}$`)),
    expect.stringMatching(new RegExp(`^S${test}:workers:2:\\d{19}$`)),
  ]);
  expect(answers.map(({ header }) => header.get("Decern-Sequence"))).toEqual(["1", "2"]);
  expect(await pendingOf()).toBe(0);
});

it("stores results once, however often a message is answered", async () => {
  await setUpNats(layout());
  await publish("1");
  const source = makeSource();
  const first = await take(source);
  await first.commit(resultsOf(first));
  // The acknowledgement is lost: the message comes again, to another worker.
  const manager = await jetstreamManager(connection);
  await manager.consumers.delete(`S${test}`, "workers");
  await setUpNats(layout());
  const second = await take();
  expect(positionsOf(second)).toEqual(["1"]);
  await second.commit(resultsOf(second));
  expect(await stored(names().results)).toHaveLength(1);
  expect(await pendingOf()).toBe(0);
});

it("stores the results of a stream that was deleted and created again, which counts from 1", async () => {
  const manager = await jetstreamManager(connection);
  for (const text of ["of the first", "of the second"]) {
    await setUpNats(layout());
    await publish(text);
    const batch = await take();
    expect(positionsOf(batch)).toEqual(["1"]);
    await batch.commit(resultsOf(batch));
    await manager.streams.delete(`S${test}`);
  }
  const answers = await stored(names().results);
  expect(answers.map((message) => message.string())).toEqual(["of the first", "of the second"]);
});

it("takes as many inputs as it was asked for, but never part of a message", async () => {
  await setUpNats(layout());
  for (const text of ["1\n2", "3\n4", "5\n6\n7", "8"]) await publish(text);
  const source = makeSource();
  const sizes: number[] = [];
  while (sizes.reduce((sum, size) => sum + size, 0) < 8) {
    const batch = await take(source, 2);
    sizes.push(batch.items.length);
    await batch.commit(resultsOf(batch));
  }
  expect(sizes).toEqual([2, 2, 3, 1]);
});

/** Takes messages as a process that ends with them: nobody tells the server. */
async function takeAndDie(max = 100): Promise<readonly string[]> {
  const mine = await connect({ servers: server.address });
  const batch = await take(natsSource({ ...names(), connection: mine }), max);
  await mine.close();
  return positionsOf(batch);
}

/** Leaves no room for results, until `makeRoom`. @param maxBytes - of the stream, where it is to be full by size */
async function takeRoom(maxBytes = -1): Promise<void> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(`S${test}-RESULTS`);
  if (maxBytes === -1 && state.messages === 0) {
    await jetstream(connection).publish(names().results, "of another");
    return await takeRoom();
  }
  const max_bytes = maxBytes === -1 ? -1 : state.bytes + maxBytes;
  await manager.streams.update(`S${test}-RESULTS`, {
    max_msgs: maxBytes === -1 ? state.messages : -1,
    max_bytes,
  });
}

async function makeRoom(): Promise<void> {
  const manager = await jetstreamManager(connection);
  await manager.streams.update(`S${test}-RESULTS`, { max_msgs: -1, max_bytes: -1 });
}

const redelivered = async () =>
  (await (await jetstreamManager(connection)).consumers.info(`S${test}`, "workers")).num_redelivered;

it("gives up a message that five workers died of, and keeps it as a dead letter", async () => {
  await setUpNats({ ...layout(), ackWaitMs: 200 });
  await publish("poison");
  for (let death = 1; death <= 5; death += 1) expect(await takeAndDie()).toEqual(["1"]);
  const source = makeSource();
  const waiting = take(source);
  await expect.poll(() => source.backlog()).toEqual({ items: 0, dead: 1, oldestSeconds: 0 });
  const [letter] = await stored(`${names().results}.dead`);
  expect(letter?.string()).toBe("poison");
  expect(letter?.header.get("Decern-Reason")).toMatch(/tried 5 times/);
  expect(letter?.header.get("Decern-Sequence")).toBe("1");
  // What comes later is not held up.
  await publish("fine");
  expect(positionsOf(await waiting)).toEqual(["2"]);
});

it("takes alone what was delivered twice before", async () => {
  await setUpNats(layout());
  for (let message = 1; message <= 20; message += 1) await publish("1");
  const consumer = await jetstream(connection).consumers.get(`S${test}`, "workers");
  for (let delivery = 1; delivery <= 2; delivery += 1) {
    for await (const message of await consumer.fetch({ max_messages: 20 })) message.nak();
  }
  const source = makeSource();
  for (let message = 1; message <= 20; message += 1) {
    const batch = await take(source);
    expect(batch.items).toHaveLength(1);
    await batch.commit(resultsOf(batch));
  }
});

it("counts no try where a message was given back", async () => {
  await setUpNats(layout());
  await publish("1");
  const source = makeSource();
  for (let delivery = 1; delivery <= 8; delivery += 1) {
    const batch = await take(source);
    expect(positionsOf(batch)).toEqual(["1"]);
    await batch.release();
  }
  expect(await source.backlog()).toMatchObject({ items: 1, dead: 0 });
});

describe("while results cannot be stored", () => {
  it("offers the same messages again, without another delivery", async () => {
    await setUpNats(layout());
    for (const text of ["1", "2", "3"]) await publish(text);
    const source = makeSource();
    const held = new Set<string>();
    await takeRoom();
    for (let failure = 1; failure <= 12; failure += 1) {
      const batch = await take(source, 1);
      for (const position of positionsOf(batch)) held.add(position);
      await expect(batch.commit(resultsOf(batch))).rejects.toThrow("maximum messages exceeded");
      await batch.release();
    }
    expect(held).toEqual(new Set(["1"]));
    expect(await redelivered()).toBe(0);
    await makeRoom();
    for (let message = 1; message <= 3; message += 1) {
      const batch = await take(source, 1);
      await batch.commit(resultsOf(batch));
    }
    const answers = await stored(names().results);
    expect(answers.map((message) => message.string())).toEqual(["of another", "1", "2", "3"]);
    await expect.poll(() => source.backlog()).toMatchObject({ items: 0, dead: 0 });
  });

  it("stores them in a stream that was created again", async () => {
    await setUpNats(layout());
    await publish("1");
    const source = makeSource();
    const first = await take(source);
    const manager = await jetstreamManager(connection);
    await manager.streams.delete(`S${test}-RESULTS`);
    await expect(first.commit(resultsOf(first))).rejects.toThrow();
    await first.release();
    const path = { path: "/results", message: `no stream stores ${names().results}` };
    await expect(take(source)).rejects.toMatchObject({ problems: expect.arrayContaining([path]) });
    await setUpNats(layout());
    const again = await take(source);
    await again.commit(resultsOf(again));
    expect((await stored(names().results)).map((message) => message.string())).toEqual(["1"]);
    expect(await redelivered()).toBe(0);
    expect(await source.backlog()).toMatchObject({ items: 0, dead: 0 });
  });

  it("begins no second try of a message, however often workers start and stop", async () => {
    await setUpNats({ ...layout(), ackWaitMs: 200 });
    await publish("1");
    await takeRoom();
    expect(await takeAndDie()).toEqual(["1"]);
    for (let worker = 1; worker <= 7; worker += 1) {
      const source = makeSource();
      for (let failure = 1; failure <= 2; failure += 1) {
        await expect(take(source)).rejects.toThrow("maximum messages exceeded");
      }
      // It gives the message back.
      stop.abort();
      stop = new AbortController();
    }
    await makeRoom();
    const source = makeSource();
    const batch = await take(source);
    expect(positionsOf(batch)).toEqual(["1"]);
    await batch.commit(resultsOf(batch));
    expect(await source.backlog()).toMatchObject({ items: 0, dead: 0 });
  });

  it("counts no try where there is room for a note, and not for the results", async () => {
    await setUpNats(layout());
    await publish("1");
    await takeRoom(20_000);
    const results = [{ position: "1", status: "OK", text: "x".repeat(50_000) }] as const;
    for (let worker = 1; worker <= 8; worker += 1) {
      const batch = await take();
      await expect(batch.commit(results)).rejects.toThrow("maximum bytes exceeded");
      await batch.release();
      stop.abort();
      stop = new AbortController();
    }
    await makeRoom();
    const source = makeSource();
    await (await take(source)).commit(results);
    await expect.poll(() => source.backlog()).toMatchObject({ items: 0, dead: 0 });
    expect(await stored(names().results)).toHaveLength(1);
  });
});

describe("a stream that was deleted and created again", () => {
  /** Ends with a message of a new stream that another worker has, and one of the old in `batch`. */
  async function createAgain(source: NatsSource): Promise<TakenBatch> {
    await publish("old");
    const batch = await take(source);
    const waiting = take(source).catch((thrown: unknown) => thrown);
    const manager = await jetstreamManager(connection);
    await expect.poll(async () => (await manager.consumers.info(`S${test}`, "workers")).num_waiting).toBe(1);
    await manager.streams.delete(`S${test}`);
    expect(await waiting).toBeInstanceOf(Error);
    await setUpNats(layout());
    await publish("new");
    expect(positionsOf(await take())).toEqual(["1"]);
    return batch;
  }

  it("is not acknowledged what another worker has, for a message of the same number", async () => {
    await setUpNats(layout());
    const source = makeSource();
    const batch = await createAgain(source);
    await expect(batch.commit(resultsOf(batch))).rejects.toThrow(/deleted and created again/);
    await batch.release();
    expect(await pendingOf()).toBe(1);
    // It goes on with the new one.
    await publish("newer");
    expect(positionsOf(await take(source))).toEqual(["2"]);
  });

  it("is noticed after the connection was lost", async () => {
    await setUpNats(layout());
    await publish("old");
    const mine = await connect({ servers: server.address, reconnectTimeWait: 10 });
    const batch = await take(natsSource({ ...names(), connection: mine }));
    await (await jetstreamManager(connection)).streams.delete(`S${test}`);
    await setUpNats(layout());
    await publish("new");
    expect(positionsOf(await take())).toEqual(["1"]);
    const before = mine.info?.client_id;
    await mine.reconnect();
    await expect.poll(() => mine.info?.client_id).not.toBe(before);
    await expect(batch.commit(resultsOf(batch))).rejects.toThrow(/deleted and created again/);
    expect(await pendingOf()).toBe(1);
    await mine.close();
  });
});

it("gives up at once what has results that no message can hold", async () => {
  await setUpNats(layout());
  await publish("1");
  const source = makeSource();
  const batch = await take(source);
  await batch.commit([{ position: "1", status: "OK", text: "x".repeat(1_100_000) }]);
  await expect.poll(() => source.backlog()).toMatchObject({ items: 0, dead: 1 });
  const [letter] = await stored(`${names().results}.dead`);
  expect(letter?.header.get("Decern-Reason")).toMatch(/1100000 bytes/);
});

it("gives up what leaves no room for the headers of a dead letter, and says where it is", async () => {
  await setUpNats(layout());
  const length = (connection.info?.max_payload ?? 0) - 100;
  await publish("1".repeat(length));
  const source = makeSource();
  const batch = await take(source);
  await batch.commit([{ position: "1", status: "OK", text: "x".repeat(1_100_000) }]);
  await expect.poll(() => source.backlog()).toMatchObject({ items: 0, dead: 1 });
  const [letter] = await stored(`${names().results}.dead`);
  expect(letter?.header.get("Decern-Omitted")).toBe(String(length));
  expect(letter?.header.get("Decern-Sequence")).toBe("1");
  const manager = await jetstreamManager(connection);
  expect((await manager.streams.getMessage(`S${test}`, { seq: 1 }))?.data).toHaveLength(length);
});

it("keeps a message for as long as it works on it", async () => {
  await setUpNats({ ...layout(), ackWaitMs: 300 });
  await publish("1");
  const source = makeSource();
  const batch = await take(source);
  // Longer than the server waits for a silent worker, by the server's own clock: another message is given back again and again.
  const manager = await jetstreamManager(connection);
  await manager.consumers.add(`S${test}`, {
    durable_name: "clock",
    ack_policy: "explicit",
    ack_wait: nanos(300),
  });
  const clock = await jetstream(connection).consumers.get(`S${test}`, "clock");
  for (let delivery = 1; delivery <= 4; delivery += 1) {
    expect((await clock.next())?.info.deliveryCount).toBe(delivery);
  }
  expect((await manager.consumers.info(`S${test}`, "workers")).num_redelivered).toBe(0);
  await batch.commit(resultsOf(batch));
  expect(await pendingOf()).toBe(0);
});

it("gives back what it has when it is stopped", async () => {
  await setUpNats(layout());
  const source = makeSource();
  await publish("1");
  const first = await take(source, 1000);
  for (const text of ["2", "3", "4"]) await publish(text);
  const second = await take(source, 1);
  expect(positionsOf(second)).toEqual(["2"]);
  stop.abort();
  expect((await source.take(100, stop.signal))?.items).toEqual([]);
  await first.release();
  await second.release();
  stop = new AbortController();
  const other = makeSource();
  const seen = new Set<string>();
  while (seen.size < 4) for (const position of positionsOf(await take(other))) seen.add(position);
  expect([...seen].toSorted()).toEqual(["1", "2", "3", "4"]);
});

it("says that its consumer is gone, and goes on with the next one", async () => {
  await setUpNats(layout());
  const source = makeSource();
  const waiting = take(source).catch((thrown: unknown) => thrown);
  const manager = await jetstreamManager(connection);
  await expect.poll(async () => (await manager.consumers.info(`S${test}`, "workers")).num_waiting).toBe(1);
  await manager.consumers.delete(`S${test}`, "workers");
  expect(await waiting).toMatchObject({ message: "consumer deleted" });
  const problem = { path: "/consumer", message: `stream S${test} has no consumer workers` };
  await expect(take(source)).rejects.toMatchObject({ code: "INVALID_OPTIONS", problems: [problem] });
  await setUpNats(layout());
  await publish("1");
  expect(positionsOf(await take(source))).toEqual(["1"]);
});

it("says what waits, and for how long", async () => {
  await setUpNats(layout());
  const now = { ms: 0 };
  const clock = { now: () => now.ms, monotonic: () => 0 };
  const source = natsSource({ ...names(), connection, clock });
  await expect.poll(() => source.backlog()).toEqual({ items: 0, dead: 0, oldestSeconds: 0 });
  await publish("1");
  await publish("2");
  const manager = await jetstreamManager(connection);
  const oldest = await manager.streams.getMessage(`S${test}`, { seq: 1 });
  now.ms = Number(oldest?.time.getTime()) + 12_500;
  await expect.poll(() => source.backlog()).toEqual({ items: 2, dead: 0, oldestSeconds: 12.5 });
  const batch = await take(source, 1);
  expect((await source.backlog()).items).toBe(2);
  await batch.commit(resultsOf(batch));
  const next = await manager.streams.getMessage(`S${test}`, { seq: 2 });
  now.ms = Number(next?.time.getTime()) + 3000;
  await expect.poll(() => source.backlog()).toEqual({ items: 1, dead: 0, oldestSeconds: 3 });
});

describe("what does not fit", () => {
  const problems = async (work: Promise<unknown>): Promise<unknown> =>
    await work.catch((thrown: unknown) => Reflect.get(Object(thrown), "problems"));

  it("is refused before anything is taken", async () => {
    expect(await problems(makeSource().open())).toMatchObject([{ path: "/consumer" }]);
    await setUpNats({ ...layout(), duplicateWindowMs: 1000 });
    const manager = await jetstreamManager(connection);
    await manager.consumers.add(`S${test}`, {
      durable_name: "few",
      ack_policy: "all",
      max_deliver: 5,
      ack_wait: nanos(5000),
    });
    const source = natsSource({ ...names(), consumer: "few", deadLetters: "nowhere", connection });
    expect(await problems(source.open())).toMatchObject([
      { path: "/consumer/ack_policy" },
      { path: "/consumer/max_deliver" },
      { path: "/results", message: expect.stringContaining("duplicate_window") },
      { path: "/deadLetters", message: "no stream stores nowhere" },
    ]);
  });

  it("is refused where results would be stored, and tries would not be noted", async () => {
    await setUpNats(layout());
    const manager = await jetstreamManager(connection);
    await manager.streams.delete(`S${test}-RESULTS`);
    const subjects = [names().results, `${names().results}.dead`];
    await manager.streams.add({ name: `S${test}-RESULTS`, subjects, retention: "interest" });
    const isInterest = expect.stringContaining('must not be "interest"');
    expect(await problems(makeSource().open())).toEqual([
      { path: "/results", message: isInterest },
      { path: "/deadLetters", message: isInterest },
      {
        path: "/results",
        message: `stream S${test}-RESULTS of the results must store ${names().results}.tries.> as well`,
      },
    ]);
    await manager.streams.delete(`S${test}-RESULTS`);
    await manager.streams.add({ name: `S${test}-RESULTS`, subjects: [`answers.${test}.>`, names().results] });
    await makeSource().open();
  });

  it("is refused by the setup, which changes nothing then", async () => {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({
      name: `S${test}`,
      subjects: ["other"],
      retention: "workqueue",
      storage: "memory",
    });
    expect(await problems(setUpNats(layout()))).toMatchObject([
      { path: "/retention", message: 'must be "limits", not "workqueue"' },
      { path: "/storage" },
      { path: "/subjects" },
    ]);
    expect((await manager.streams.info(`S${test}`)).config.subjects).toEqual(["other"]);
  });

  it("is changed by the setup where it is a limit that was asked for, and nothing else is", async () => {
    await setUpNats({ ...layout(), maxAckPending: 7 });
    await setUpNats({ ...names(), connection, subjects: [`in.${test}`], duplicateWindowMs: 90_000 });
    const manager = await jetstreamManager(connection);
    const { config } = await manager.consumers.info(`S${test}`, "workers");
    expect({
      ack_wait: config.ack_wait,
      max_ack_pending: config.max_ack_pending,
      max_deliver: config.max_deliver,
    }).toEqual({ ack_wait: nanos(60_000), max_ack_pending: 7, max_deliver: -1 });
    const stream = await manager.streams.info(`S${test}-RESULTS`);
    expect(stream.config).toMatchObject({
      duplicate_window: nanos(90_000),
      retention: "limits",
      storage: "file",
      discard: "new",
      subjects: [names().results, `${names().results}.dead`, `${names().results}.tries.>`],
    });
  });
});
