import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DecernError } from "@decern/core";
import { isSameJson } from "@decern/core/tools";
import type { LineFault } from "../items/counts-and-faults.js";
import type { ManifestPart, PartResult } from "../parts/manifest.js";
import type { PartJob } from "../parts/part-maker.js";
import { type BulkWorkInThreads, mostThreads } from "../parts/work.js";
import {
  type Crew,
  type CrewMember,
  fromThreadError,
  type OnBlock,
  type ThreadOrder,
  type ThreadReport,
} from "./crew.js";

/** A promise that is settled from outside. */
class SettledLater<Value> {
  readonly promise: Promise<Value>;
  resolve: (value: Value) => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

interface Order {
  readonly made: SettledLater<PartResult>;
  readonly onBlock: OnBlock;
}

type Ready = Omit<Extract<ThreadReport, { readonly type: "ready" }>, "type">;

/** A thread, seen from the main thread. Once it fails, everything that waits for it rejects. */
class BulkThread implements CrewMember {
  readonly ready: Promise<Ready>;
  readonly #worker: Worker;
  readonly #onFault: (fault: LineFault) => void;
  readonly #ready = new SettledLater<Ready>();
  readonly #orders = new Map<string, Order>();
  #failure: Error | undefined;

  constructor({ thread, data, execArgv }: BulkWorkInThreads, onFault: (fault: LineFault) => void) {
    this.ready = this.#ready.promise;
    // All threads are awaited at the same time, and one failure is reported.
    this.ready.catch(() => {});
    this.#onFault = onFault;
    this.#worker = new Worker(thread, {
      workerData: data,
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    this.#worker.on("message", (report: ThreadReport) => this.#take(report));
    this.#worker.once("error", (cause) =>
      this.#fail(new Error(`A thread failed: ${cause.message}`, { cause })),
    );
    this.#worker.once("exit", (code) =>
      this.#fail(
        new Error(`The thread ${thread.href} has ended with code ${code}; did it call process.exit?`),
      ),
    );
  }

  make(job: PartJob, part: ManifestPart, onBlock: OnBlock): Promise<PartResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const made = new SettledLater<PartResult>();
    this.#orders.set(part.file, { made, onBlock });
    const order: ThreadOrder = { job, part };
    this.#worker.postMessage(order);
    return made.promise;
  }

  async stop(): Promise<void> {
    this.#fail(new Error("The job was stopped"));
    await this.#worker.terminate();
  }

  #take(report: ThreadReport): void {
    switch (report.type) {
      case "ready":
        this.#ready.resolve({ revision: report.revision, emits: report.emits });
        break;
      case "block":
        this.#orders.get(report.file)?.onBlock(report.counts);
        break;
      case "fault":
        this.#onFault({ line: report.line, error: fromThreadError(report.error) });
        break;
      case "made":
        this.#orders.get(report.file)?.made.resolve(report.result);
        this.#orders.delete(report.file);
        break;
      case "failed":
        this.#fail(fromThreadError(report.error));
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#ready.reject(this.#failure);
    for (const { made } of this.#orders.values()) made.reject(this.#failure);
    this.#orders.clear();
  }
}

/**
 * Starts a thread and waits until it is ready. The others are started once it is known how many parts there are.
 *
 * @throws DecernError `INVALID_OPTIONS` (`members` rejects with it) where threads do not evaluate the same
 */
export async function threadCrew(
  work: BulkWorkInThreads,
  signal: AbortSignal,
  onFault: (fault: LineFault) => void,
): Promise<Crew> {
  const { count = Math.min(availableParallelism(), mostThreads) } = work;
  const threads: BulkThread[] = [];
  const close = async (): Promise<void> => {
    signal.removeEventListener("abort", stop);
    await Promise.all(threads.map((one) => one.stop()));
  };
  const stop = (): void => void close();
  const started = async (wanted: number) => {
    signal.throwIfAborted();
    while (threads.length < wanted) threads.push(new BulkThread(work, onFault));
    return await Promise.all(threads.map((one) => one.ready));
  };
  try {
    signal.addEventListener("abort", stop);
    const [first] = await started(1);
    if (first === undefined) throw new TypeError("there is no thread");
    const members = async (parts: number): Promise<readonly BulkThread[]> => {
      const all = await started(Math.min(count, parts));
      if (all.some((other) => !isSameJson(other, first))) throw differing();
      return threads;
    };
    return { ...first, members, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function differing(): DecernError {
  const message =
    "creates a different decision or profile in each thread, so results would depend on the thread";
  return new DecernError("INVALID_OPTIONS", {
    detail: "bulkFile",
    problems: [{ path: "/work/thread", message }],
  });
}
