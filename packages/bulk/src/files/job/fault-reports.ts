import type { Logger } from "@decern/core";
import type { LineFault } from "./crew.js";

/** So many faults are logged one by one. */
const mostLogged = 5;

/** Logs the first faults of a decision. The rest are counted: a rule that fails may fail a hundred million times. */
export class FaultReports {
  readonly #logger: Logger;
  #logged = 0;

  /** @param logger - must not throw */
  constructor(logger: Logger) {
    this.#logger = logger;
  }

  readonly add = ({ line, error }: LineFault): void => {
    if (this.#logged === mostLogged) return;
    this.#logged += 1;
    this.#logger.error({ err: error, line }, "The decision failed for a line");
  };

  /** @param faults - how many there were */
  end(faults: number): void {
    if (faults > this.#logged) this.#logger.error({ faults }, "The decision failed for some lines");
  }
}
