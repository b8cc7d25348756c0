import { addCounts, itemsOf, noCounts, type StatusCounts } from "../items/counts-and-faults.js";
import type { ManifestPart } from "../manifest/manifest.js";
import type { BulkFileProgress } from "./bulk-file-options.js";

/** Interval between progress reports, in milliseconds. */
const intervalMs = 200;

type Counts = BulkFileProgress["counts"];

/** Sums up the progress of a job and reports it. */
export class JobProgress {
  readonly #tell: ((progress: BulkFileProgress) => void) | undefined;
  readonly #totalBytes: number;
  /** Of parts that are done. */
  readonly #counts: StatusCounts = { ...noCounts };
  #doneBytes = 0;
  /** Of parts that are being made. */
  readonly #open = new Map<ManifestPart, Counts>();
  /** From what a part's range counts to bytes of the file. */
  #bytesPerUnit = 1;
  #nextMs = 0;
  #phase: BulkFileProgress["phase"] | undefined;

  constructor(totalBytes: number, tell: ((progress: BulkFileProgress) => void) | undefined) {
    this.#totalBytes = totalBytes;
    this.#tell = tell;
  }

  /** Of parts that are done. */
  get counts(): Counts {
    return this.#counts;
  }

  read(phase: "scan" | "check", doneBytes: number): void {
    this.#report(phase, doneBytes, false);
  }

  /** Begins to evaluate. */
  begin(parts: readonly ManifestPart[]): void {
    const units = parts.reduce((sum, { start, end }) => sum + end - start, 0);
    this.#bytesPerUnit = units === 0 ? 0 : this.#totalBytes / units;
  }

  /** @param counts - of a part so far */
  block(part: ManifestPart, counts: Counts): void {
    this.#open.set(part, counts);
    this.#report("evaluate", undefined, false);
  }

  /** Counts a part of a former run. */
  keep(part: ManifestPart, counts: Counts): void {
    addCounts(this.#counts, counts);
    this.#doneBytes += this.#bytesOf(part, 1);
  }

  done(part: ManifestPart, counts: Counts): void {
    this.#open.delete(part);
    this.keep(part, counts);
    this.#report("evaluate", undefined, false);
  }

  /** Tells the last state. */
  end(): void {
    this.#report("evaluate", undefined, true);
  }

  #bytesOf({ start, end }: ManifestPart, share: number): number {
    return (end - start) * this.#bytesPerUnit * share;
  }

  #report(phase: BulkFileProgress["phase"], readBytes: number | undefined, isLast: boolean): void {
    if (this.#tell === undefined) return;
    const nowMs = performance.now();
    if (nowMs < this.#nextMs && phase === this.#phase && !isLast) return;
    this.#phase = phase;
    this.#nextMs = nowMs + intervalMs;
    const counts = { ...this.#counts };
    let bytes = this.#doneBytes;
    for (const [part, open] of this.#open) {
      addCounts(counts, open);
      bytes += this.#bytesOf(part, part.records === 0 ? 0 : itemsOf(open) / part.records);
    }
    this.#tell({
      phase,
      doneBytes: Math.min(readBytes ?? Math.round(bytes), this.#totalBytes),
      totalBytes: this.#totalBytes,
      items: itemsOf(counts),
      counts,
    });
  }
}

/** Shares work out among those who do it, in order. */
export class PartQueue<Part> {
  readonly #rest: Iterator<Part>;
  #hasFailed = false;

  constructor(parts: Iterable<Part>) {
    this.#rest = parts[Symbol.iterator]();
  }

  /** Resolves once all is done. Once something fails nothing more begins, and it rejects when all have ended. */
  async run<Member>(
    members: readonly Member[],
    work: (member: Member, part: Part) => Promise<void>,
  ): Promise<void> {
    const ends = await Promise.allSettled(members.map((member) => this.#workOff(member, work)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #workOff<Member>(member: Member, work: (member: Member, part: Part) => Promise<void>): Promise<void> {
    while (!this.#hasFailed) {
      const next = this.#rest.next();
      if (next.done === true) return;
      try {
        await work(member, next.value);
      } catch (error) {
        this.#hasFailed = true;
        throw error;
      }
    }
  }
}
