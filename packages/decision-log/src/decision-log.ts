import type {
  Decision,
  DecisionRecord,
  LogicContent,
  DecisionLog as LogOfHosts,
  Recorder,
  RecordingHost,
  RecordQuery,
} from "@decern/core";
import { feature } from "@decern/core/options";
import { type DecisionLogOptions, drafterOf, type LogSettings, logSettings } from "./options.js";
import { RecordIds } from "./record/ids-and-salts.js";
import type { RecordStore, StoredQuery, StoreStats } from "./record/record-store.js";
import { personsOf, type Subjects, subjectsOf } from "./record/subjects.js";
import { wellFormed } from "./text/plain-json.js";
import { type Verification, type VerifyOptions, verify } from "./verify/verify.js";
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
  const settings = logSettings(options);
  const reports = new LogReports(settings.logger);
  return new Log(settings, subjectsOf(settings.subject?.key), partsOf(settings, reports));
}

class Log implements DecisionLog {
  readonly [feature] = "decision-log";
  readonly #store: RecordStore;
  readonly #subjects: Subjects | undefined;
  readonly #parts: RecorderParts;
  readonly #headEveryMs: number;
  #headTimer: NodeJS.Timeout | undefined;
  #toldHead: string | null = null;
  #closed: Promise<void> | undefined;

  constructor({ store, headEveryMs }: LogSettings, subjects: Subjects | undefined, parts: RecorderParts) {
    this.#store = store;
    this.#headEveryMs = headEveryMs;
    this.#subjects = subjects;
    this.#parts = parts;
  }

  get isAvailable(): boolean {
    return isAvailable(this.#parts);
  }

  attach(host: RecordingHost): Recorder {
    const { reports, writing } = this.#parts;
    reports.use(host.logger);
    if (this.#headTimer === undefined && !writing.isClosing) {
      writing.open();
      this.#headTimer = setInterval(() => this.#tellHead(), this.#headEveryMs);
      this.#headTimer.unref();
    }
    return new HostRecorder(this.#parts, host);
  }

  find(query: RecordQuery = {}): AsyncIterable<DecisionRecord> {
    return deferred(async () => {
      const stored = this.#stored(query);
      await this.#parts.writing.flush(true);
      return this.#store.find(stored);
    });
  }

  /** Callers and persons as records have them. */
  #stored({ subject, ...query }: RecordQuery): StoredQuery {
    const { caller } = query;
    return {
      ...query,
      ...(caller === undefined ? {} : { caller: wellFormed(caller) }),
      ...(subject === undefined ? {} : { subjects: personsOf(subject, this.#subjects) }),
    };
  }

  profile(hash: string): Promise<unknown> {
    return this.#store.profile(hash);
  }

  content(hash: string): Promise<LogicContent | undefined> {
    return this.#store.content(hash);
  }

  async erase({ subject }: { readonly subject: string }): Promise<{ readonly records: number }> {
    const subjects = personsOf(subject, this.#subjects);
    const { writing, reports } = this.#parts;
    await writing.flush();
    const records = await this.#store.erase(subjects);
    reports.logger.info({ records, subjects }, "A person was erased from the decision log");
    return { records };
  }

  async verify(options?: VerifyOptions): Promise<Verification> {
    await this.#parts.writing.flush(true);
    return verify(this.#store, options);
  }

  async stats(): Promise<StoreStats> {
    await this.#parts.writing.flush(true);
    return this.#store.stats();
  }

  flush(): Promise<void> {
    return this.#parts.writing.flush();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { writing, reports } = this.#parts;
    await writing.close();
    clearInterval(this.#headTimer);
    this.#tellHead();
    reports.end();
  }

  /** Nothing but the operational log shows a tail that is cut off. */
  #tellHead(): void {
    const { head, records } = this.#parts.writing.progress;
    if (head === null || head === this.#toldHead) return;
    this.#toldHead = head;
    this.#parts.reports.head(head, records);
  }
}

function partsOf(settings: LogSettings, reports: LogReports): RecorderParts {
  const { store, intervalMs, maxPendingBytes: maxPending, writeTimeoutMs } = settings;
  const isDurable = settings.durable === "reply";
  const drops = settings.onFull === "drop";
  const writing = new RecordWriting({
    store,
    isDurable,
    intervalMs,
    drops,
    maxPending,
    writeTimeoutMs,
    reports,
  });
  const drafter = drafterOf(settings, (decisionId, what) => reports.withoutPayload(decisionId, what));
  return {
    ids: new RecordIds(),
    drafter,
    writing,
    reports,
    samples: new Map(Object.entries(settings.sample)),
    drops,
  };
}

/**
 * Makes an iterable when its first item is read. A generator would hold back `return` until the item that is being waited for is
 * there, such as the next match in a large file.
 */
function deferred<T>(make: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
  const end: IteratorResult<T> = { done: true, value: undefined };
  return {
    [Symbol.asyncIterator]() {
      let making: Promise<AsyncIterator<T>> | undefined;
      let made: AsyncIterator<T> | undefined;
      let hasEnded = false;
      const first = async (): Promise<IteratorResult<T>> => {
        making ??= make().then((items) => items[Symbol.asyncIterator]());
        try {
          made = await making;
          return await made.next();
        } catch (error) {
          hasEnded = true;
          throw error;
        }
      };
      return {
        next: () => (hasEnded ? Promise.resolve(end) : (made?.next() ?? first())),
        async return() {
          hasEnded = true;
          await (await making?.catch(() => undefined))?.return?.();
          return end;
        },
      };
    },
  };
}
