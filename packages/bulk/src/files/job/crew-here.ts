import type { BulkWorkHere } from "../bulk-file-options.js";
import { PartMaker } from "../part/part-maker.js";
import type { Crew, CrewMember, LineFault } from "./crew.js";

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
