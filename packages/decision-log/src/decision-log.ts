import type { Decision, DecisionLog, DecisionRecord } from "@decern/core";
import { feature } from "@decern/core/tools";
import { checkLogOptions, type DecisionLogOptions, type SampleRates } from "./options.js";
import { Masks } from "./payload/masks.js";
import { Drafter } from "./record/drafter.js";
import { RecordIds } from "./record/ids-and-salts.js";
import { personsOf, storedQuery, subjectFunctions, subjectsOf } from "./record/subjects.js";
import { verify } from "./verify/verify.js";
import { HostRecorder, isAvailable, type RecorderParts } from "./writing/host-recorder.js";
import { LogReports } from "./writing/log-reports.js";
import { RecordWriting } from "./writing/record-writing.js";

/**
 * Keeps a record of every evaluation of the hosts that get it as `log`.
 *
 * @typeParam Decisions - the decisions that are recorded, which types `mask`, `subject` and `sample`
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, missing or of a wrong kind
 *
 * @example
 * ```ts
 * const log = decisionLog<typeof decisions>({
 *   store: ndjsonFiles("records"),
 *   mask: { "loan-approval": ["/input/applicant/name"] },
 * });
 * createServer({ decisions, log });
 * ```
 */
export function decisionLog<Decisions extends readonly Decision[] = readonly Decision[]>(
  options: DecisionLogOptions<Decisions>,
): DecisionLog {
  checkLogOptions(options);
  const { store, durable = "batch", onFull = "refuse", headEveryMs = 60_000 } = options;
  const reports = new LogReports(options.logger);
  const subjects = subjectsOf(options.subject?.key);
  const isDurable = durable === "reply";
  const drops = onFull === "drop";
  const writing = new RecordWriting({
    store,
    isDurable,
    intervalMs: options.intervalMs ?? 200,
    drops,
    maxPending: options.maxPendingBytes ?? 64 * 1024 * 1024,
    writeTimeoutMs: options.writeTimeoutMs ?? 5000,
    reports,
  });
  const drafter = new Drafter({
    build: options.build,
    masks: new Masks(options.mask ?? {}),
    subjects,
    subjectOf: subjectFunctions(options.subject?.of),
    onWithoutPayload: (decisionId, what) => reports.withoutPayload(decisionId, what),
  });
  const parts: RecorderParts = {
    ids: new RecordIds(),
    drafter,
    writing,
    reports,
    samples: sampleRates(options.sample),
    isDurable,
    drops,
  };
  const heads = new HeadReports(writing, reports, headEveryMs);
  let isAttached = false;
  let closed: Promise<void> | undefined;
  return {
    [feature]: "decision-log",
    get isAvailable() {
      return isAvailable(parts);
    },
    attach(host) {
      reports.use(host.logger);
      if (!isAttached && !writing.isClosing) {
        writing.open();
        heads.start();
      }
      isAttached = true;
      return new HostRecorder(parts, host);
    },
    find(query = {}): AsyncIterable<DecisionRecord> {
      return deferred(async () => {
        const stored = storedQuery(query, subjects);
        await writing.flush(true);
        return store.find(stored);
      });
    },
    profile: (hash) => store.profile(hash),
    async erase({ subject }) {
      const persons = personsOf(subject, subjects);
      await writing.flush();
      const records = await store.erase(persons);
      const details = { records, subjects: persons };
      reports.logger.info(details, "A person was erased from the decision log");
      return { records };
    },
    async verify(options) {
      await writing.flush(true);
      return verify(store, options);
    },
    async stats() {
      await writing.flush(true);
      return store.stats();
    },
    flush: () => writing.flush(),
    close() {
      closed ??= closeAll();
      return closed;
    },
  };

  async function closeAll(): Promise<void> {
    await writing.close();
    heads.stop();
    reports.end();
  }
}

/** Sample rates by id of the decision. */
function sampleRates(
  sample: Readonly<Record<string, SampleRates | undefined>> | undefined,
): ReadonlyMap<string, SampleRates> {
  return new Map(
    Object.entries(sample ?? {}).flatMap(([id, rates]) =>
      rates === undefined ? [] : [[id, rates] as const],
    ),
  );
}

/** Tells the operational log the head of the chain from time to time: a tail that is cut off shows nowhere else. */
class HeadReports {
  readonly #writing: RecordWriting;
  readonly #reports: LogReports;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined = undefined;
  #told: string | null = null;

  constructor(writing: RecordWriting, reports: LogReports, everyMs: number) {
    this.#writing = writing;
    this.#reports = reports;
    this.#everyMs = everyMs;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tell(), this.#everyMs);
    this.#timer.unref();
  }

  /** Tells the last one. */
  stop(): void {
    clearInterval(this.#timer);
    this.#tell();
  }

  #tell(): void {
    const { head, records } = this.#writing.progress;
    if (head === null || head === this.#told) return;
    this.#told = head;
    this.#reports.head(head, records);
  }
}

/**
 * What is iterated is made when the first item is asked for, and is then read without anything in between: an async generator
 * with `yield*` would wait for each item once more.
 */
function deferred<T>(make: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new DeferredIterator(make) };
}

class DeferredIterator<T> implements AsyncIterator<T> {
  readonly #make: () => Promise<AsyncIterable<T>>;
  #making: Promise<AsyncIterator<T>> | undefined = undefined;
  #made: AsyncIterator<T> | undefined = undefined;
  #hasEnded = false;

  constructor(make: () => Promise<AsyncIterable<T>>) {
    this.#make = make;
  }

  next(): Promise<IteratorResult<T>> {
    return this.#made === undefined ? this.#first() : this.#made.next();
  }

  async return(): Promise<IteratorResult<T>> {
    this.#hasEnded = true;
    const made = this.#made ?? (await this.#making?.catch(() => undefined));
    await made?.return?.();
    return { done: true, value: undefined };
  }

  async #first(): Promise<IteratorResult<T>> {
    if (this.#hasEnded) return { done: true, value: undefined };
    try {
      this.#making ??= this.#make().then((items) => items[Symbol.asyncIterator]());
      const made = await this.#making;
      this.#made = made;
      return await made.next();
    } catch (error) {
      this.#hasEnded = true;
      throw error;
    }
  }
}
