import type { Decision, DecisionRecord, DecisionLog as LogOfHosts } from "@decern/core";
import { feature } from "@decern/core/tools";
import { checkLogOptions, type DecisionLogOptions, drafterOf, type SampleRates } from "./options.js";
import { RecordIds } from "./record/ids-and-salts.js";
import type { StoreStats } from "./record/record-store.js";
import { personsOf, storedQuery, subjectsOf } from "./record/subjects.js";
import type { Verification, VerifyOptions } from "./verify/verification.js";
import { verify } from "./verify/verify.js";
import { HostRecorder, isAvailable, type RecorderParts } from "./writing/host-recorder.js";
import { LogReports } from "./writing/log-reports.js";
import { RecordWriting } from "./writing/record-writing.js";

/** A log that hosts take as `log`, and what is done with its records. */
export interface DecisionLog extends LogOfHosts {
  /** Removes everything about a person, and leaves every chain whole. */
  erase(query: { readonly subject: string }): Promise<{ readonly records: number }>;
  /** Checks every record and every chain. Its memory grows by about 20 bytes per record, up to 400 MB. */
  verify(options?: VerifyOptions): Promise<Verification>;
  stats(): Promise<StoreStats>;
}

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
  const { store, headEveryMs = 60_000 } = options;
  const subjects = subjectsOf(options.subject?.key);
  const reports = new LogReports(options.logger);
  const parts = partsOf(options, reports);
  const { writing } = parts;
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

/** What the recorders of all hosts share. */
function partsOf<Decisions extends readonly Decision[]>(
  options: DecisionLogOptions<Decisions>,
  reports: LogReports,
): RecorderParts {
  const isDurable = options.durable === "reply";
  const drops = options.onFull === "drop";
  const writing = new RecordWriting({
    store: options.store,
    isDurable,
    intervalMs: options.intervalMs ?? 200,
    drops,
    maxPending: options.maxPendingBytes ?? 64 * 1024 * 1024,
    writeTimeoutMs: options.writeTimeoutMs ?? 5000,
    reports,
  });
  const drafter = drafterOf(options, (decisionId, what) => reports.withoutPayload(decisionId, what));
  const samples = sampleRates(options.sample);
  return { ids: new RecordIds(), drafter, writing, reports, samples, isDurable, drops };
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
 * Makes an iterable once its first item is asked for. A generator with `yield*` would hold back `return` until the item that is
 * being waited for is there, such as the next match in a large file.
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
