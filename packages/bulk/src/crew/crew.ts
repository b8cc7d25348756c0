import type { BulkStatus } from "../items/bulk-source.js";
import type { LineFault } from "../items/counts-and-faults.js";
import type { ManifestPart, PartResult, Revision } from "../manifest/manifest.js";
import type { PartJob } from "../parts/part-file.js";
import { PartMaker } from "../parts/part-maker.js";
import type { BulkWorkHere } from "../parts/work.js";

/** Evaluates the parts of a file, in this thread or in others. */
export interface Crew {
  readonly revision: Revision;
  /** Names of the available output forms. */
  readonly emits: readonly string[];
  /** Those who make so many parts: no more than there are parts. */
  members(parts: number): Promise<readonly CrewMember[]>;
  close(): Promise<void>;
}

export interface CrewMember {
  /** Rejects where the part cannot be made, and once the job is stopped. */
  make(job: PartJob, part: ManifestPart, onBlock: OnBlock): Promise<PartResult>;
}

/** Called while a part is made, with its counts so far. */
export type OnBlock = (counts: Readonly<Record<BulkStatus, number>>) => void;

/** Evaluates in this thread. The event loop is yielded after each block. */
export function crewHere(work: BulkWorkHere, signal: AbortSignal, onFault: (fault: LineFault) => void): Crew {
  const maker = new PartMaker(work);
  const member: CrewMember = {
    make: (job, part, onBlock) =>
      maker.make(job, part, {
        onFault: (error, line) => onFault({ line, error }),
        onBlock: (counts) => {
          signal.throwIfAborted();
          onBlock(counts);
        },
      }),
  };
  return {
    revision: maker.revision,
    emits: maker.emits,
    members: async () => [member],
    close: () => maker.close(),
  };
}
