import { Worker } from "node:worker_threads";
import type { BulkWorkInThreads } from "../bulk-file-options.js";
import type { CrewMember, LineFault, OnBlock } from "../job/crew.js";
import type { ManifestPart, PartResult } from "../manifest/manifest.js";
import type { PartJob } from "../part/part-job.js";
import { SettledLater } from "./settled-later.js";
import { fromThreadError } from "./thread-error.js";
import type { ThreadOrder, ThreadReport } from "./thread-messages.js";

interface Order {
  readonly made: SettledLater<PartResult>;
  readonly onBlock: OnBlock;
}

type Ready = Omit<Extract<ThreadReport, { readonly type: "ready" }>, "type">;

/** A thread as the main thread sees it. Once it has failed, everything that waits for it rejects. */
export class BulkThread implements CrewMember {
  /** Resolves once its module has called `serveBulkThread`. */
  readonly ready: Promise<Ready>;
  readonly #worker: Worker;
  readonly #onFault: (fault: LineFault) => void;
  readonly #ready = new SettledLater<Ready>();
  /** By the file of the part. */
  readonly #orders = new Map<string, Order>();
  #failure: Error | undefined;

  constructor({ thread, data, execArgv }: BulkWorkInThreads, onFault: (fault: LineFault) => void) {
    this.ready = this.#ready.promise;
    // Whoever waits for the threads waits for all of them at once, and is told of one failure.
    this.ready.catch(() => {});
    this.#onFault = onFault;
    this.#worker = new Worker(thread, {
      workerData: data,
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    this.#worker.on("message", (report: ThreadReport) => this.#take(report));
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", (code) =>
      this.#fail(new Error(`The thread ${thread.href} has ended with code ${code}`)),
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
