import { addCounts, itemsOf, noCounts, type StatusCounts } from "../items/counts-and-faults.js";
import type { ManifestPart } from "../parts/manifest.js";
import type { BulkFileProgress } from "./bulk-file-options.js";

/** Interval between progress reports, in milliseconds. */
const intervalMs = 200;

type Counts = BulkFileProgress["counts"];

export class JobProgress {
  readonly #tell: ((progress: BulkFileProgress) => void) | undefined;
  readonly #totalBytes: number;
  readonly #counts: StatusCounts = { ...noCounts };
  #doneBytes = 0;
  readonly #open = new Map<ManifestPart, Counts>();
  /** Bytes of the file per unit of a part's range. */
  #bytesPerUnit = 1;
  #nextMs = 0;
  #phase: BulkFileProgress["phase"] | undefined;

  constructor(totalBytes: number, tell: ((progress: BulkFileProgress) => void) | undefined) {
    this.#totalBytes = totalBytes;
    this.#tell = tell;
  }

  /** Of completed parts. */
  get counts(): Counts {
    return this.#counts;
  }

  read(phase: "scan" | "check", doneBytes: number): void {
    this.#report(phase, doneBytes);
  }

  begin(parts: readonly ManifestPart[]): void {
    const units = parts.reduce((sum, { start, end }) => sum + end - start, 0);
    this.#bytesPerUnit = units === 0 ? 0 : this.#totalBytes / units;
  }

  /** @param counts - of a part so far */
  block(part: ManifestPart, counts: Counts): void {
    this.#open.set(part, counts);
    this.#report("evaluate");
  }

  keep(part: ManifestPart, counts: Counts): void {
    addCounts(this.#counts, counts);
    this.#doneBytes += this.#bytesOf(part);
  }

  done(part: ManifestPart, counts: Counts): void {
    this.#open.delete(part);
    this.keep(part, counts);
    this.#report("evaluate");
  }

  end(): void {
    this.#nextMs = 0;
    this.#report("evaluate");
  }

  #bytesOf({ start, end }: ManifestPart): number {
    return (end - start) * this.#bytesPerUnit;
  }

  #report(phase: BulkFileProgress["phase"], readBytes?: number): void {
    const nowMs = performance.now();
    if (this.#tell === undefined || (nowMs < this.#nextMs && phase === this.#phase)) return;
    this.#phase = phase;
    this.#nextMs = nowMs + intervalMs;
    const counts = { ...this.#counts };
    let bytes = this.#doneBytes;
    for (const [part, open] of this.#open) {
      addCounts(counts, open);
      bytes += part.records === 0 ? 0 : (this.#bytesOf(part) * itemsOf(open)) / part.records;
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

/**
 * Shares parts out among the members of a crew, in order. Once a part fails, no member begins a further one, and it rejects when
 * every member has ended.
 */
export async function shareOut<Member, Part>(
  members: readonly Member[],
  parts: readonly Part[],
  work: (member: Member, part: Part) => Promise<void>,
): Promise<void> {
  const rest = parts.values();
  let hasFailed = false;
  const ends = await Promise.allSettled(
    members.map(async (member) => {
      for (const part of rest) {
        if (hasFailed) return;
        await work(member, part).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      }
    }),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
