import type { LogReports } from "./log-reports.js";
import type { RecordWriting } from "./record-writing.js";

/** Tells the operational log the head of the chain from time to time: a tail that is cut off shows nowhere else. */
export class HeadReports {
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
