import type { Timing } from "../measure/rounds.js";
import type { Sizes } from "../sizes.js";
import type { Table } from "./table.js";

/** A table of calls within one process: what each of several processes times, and what is made of it. */
export interface InProcessTable {
  readonly time: (sizes: Sizes) => Promise<readonly Timing[]>;
  readonly table: (timings: readonly Timing[]) => Table;
}
