import { createHook } from "node:async_hooks";
import { PassThrough, Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, it, vi } from "vitest";
import { BodyReader, StreamEnd } from "../../src/batch/body-reader.js";

afterEach(() => vi.useRealTimers());

/** A body that counts how often somebody looks for bytes. */
class CountedBody extends Readable {
  looks = 0;

  override _read(): void {}

  override read(size?: number): unknown {
    // The stream itself asks for no bytes.
    if (size === undefined) this.looks += 1;
    return super.read(size);
  }
}

function never(): StreamEnd {
  return new StreamEnd(new AbortController().signal, 1);
}

/** Counts the timers that readers make. */
function watchTimers() {
  const made = { count: 0, stop: () => hook.disable() };
  const hook = createHook({
    init(_id, type) {
      if (type === "Timeout" && new Error().stack?.includes("body-reader.ts")) made.count += 1;
    },
  }).enable();
  return made;
}

it("waits for a byte with one timer, and looks once before that and once after", async () => {
  const body = new CountedBody();
  const timers = watchTimers();
  const reader = new BodyReader(body, { idleMs: 350, streamEnd: never() });
  await expect(reader.read()).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  timers.stop();
  expect({ count: timers.count, looks: body.looks }).toEqual({ count: 1, looks: 2 });
  reader.release();
});

it("makes no timer for a piece, however many come", async () => {
  const body = new PassThrough();
  const timers = watchTimers();
  const reader = new BodyReader(body, { idleMs: 60_000, streamEnd: never() });
  for (let piece = 0; piece < 50; piece += 1) {
    const read = reader.read();
    setImmediate(() => body.write(String(piece)));
    expect(String(await read)).toBe(String(piece));
  }
  timers.stop();
  expect(timers.count).toBe(1);
  reader.release();
});

it("waits for each byte as long as for the first one", async () => {
  const body = new PassThrough();
  const idleMs = 100;
  const reader = new BodyReader(body, { idleMs, streamEnd: never() });
  const began = performance.now();
  while (performance.now() - began < 2 * idleMs) {
    const read = reader.read();
    setTimeout(() => body.write("x"), idleMs / 4);
    expect(String(await read)).toBe("x");
  }
  // Nor does the time between two reads count.
  await new Promise((resolve) => setTimeout(resolve, 2 * idleMs));
  const read = reader.read();
  // A stream may say this without any bytes.
  body.emit("readable");
  setTimeout(() => body.write("y"), idleMs / 4);
  expect(String(await read)).toBe("y");
  await expect(reader.read()).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  reader.release();
});

it("stops when the service does, whether it waits or not", async () => {
  const closing = new AbortController();
  const streamEnd = new StreamEnd(closing.signal, 1);
  const readers = Array.from({ length: 20 }, () => {
    return new BodyReader(new PassThrough(), { idleMs: 60_000, streamEnd });
  });
  const reads = readers.map((reader) => reader.read());
  closing.abort();
  for (const read of reads) await expect(read).rejects.toMatchObject({ code: "SERVER_CLOSING" });
  const full = new PassThrough().end("more");
  const late = new BodyReader(full, { idleMs: 60_000, streamEnd });
  await expect(late.read()).rejects.toMatchObject({ code: "SERVER_CLOSING" });
  for (const reader of [...readers, late]) reader.release();
});

it("is forgotten by the service when it is released", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const streamEnd = never();
  const idle: WeakRef<BodyReader>[] = [];
  for (let count = 0; count < 20; count += 1) {
    const body = new PassThrough();
    const reader = new BodyReader(body, { idleMs: 600_000, streamEnd });
    const read = reader.read();
    body.end("x");
    await read;
    reader.release();
    idle.push(new WeakRef(reader));
  }
  // What a promise held is free in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(idle.filter((reader) => reader.deref() !== undefined).length).toBeLessThan(2);
  expect(streamEnd.hasCome).toBe(false);
});

it("times out and stops under a test's fake timers", async () => {
  const closing = new AbortController();
  const streamEnd = new StreamEnd(closing.signal, 1);
  vi.useFakeTimers();
  const idle = new BodyReader(new PassThrough(), { idleMs: 20, streamEnd });
  await expect(idle.read()).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  const waiting = new BodyReader(new PassThrough(), { idleMs: 60_000, streamEnd });
  const read = waiting.read();
  closing.abort();
  await expect(read).rejects.toMatchObject({ code: "SERVER_CLOSING" });
  for (const reader of [idle, waiting]) reader.release();
});

it("reads what arrived while the event loop was late", async () => {
  const body = new PassThrough();
  const reader = new BodyReader(body, { idleMs: 20, streamEnd: never() });
  const read = reader.read();
  // As the bytes of a socket do, these arrive after the timers of the turn.
  setTimeout(() => setImmediate(() => body.write("x")), 0);
  const end = performance.now() + 100;
  while (performance.now() < end);
  expect(String(await read)).toBe("x");
  // The same lateness does not end the next read.
  const next = reader.read();
  setImmediate(() => setImmediate(() => body.write("y")));
  expect(String(await next)).toBe("y");
  reader.release();
});

it("takes text of a body to which a hook has given an encoding", async () => {
  const body = new PassThrough().setEncoding("utf8");
  const reader = new BodyReader(body, { idleMs: 60_000, streamEnd: never() });
  const read = reader.read();
  body.end("é");
  expect(await read).toEqual(Buffer.from("é"));
  expect(await reader.read()).toBeUndefined();
  reader.release();
});
