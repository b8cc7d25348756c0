import { readable } from "../copies/readable.js";
import { DecernError } from "../errors.js";
import { type Clock, isInstant } from "./clock.js";

/** Reads a host's clock, which may fail. */
export class Timekeeper {
  readonly #clock: Clock;
  readonly #measures: boolean;

  /** @param measures - whether anybody wants durations */
  constructor(clock: Clock, measures: boolean) {
    this.#clock = clock;
    this.#measures = measures;
  }

  /** @throws DecernError `INTERNAL_ERROR` when the clock does not tell the time */
  instant(): number {
    try {
      const epochMs = this.#clock.now();
      if (isInstant(epochMs)) return epochMs;
    } catch (thrown) {
      throw new DecernError("INTERNAL_ERROR", { detail: "the clock failed", cause: readable(thrown) });
    }
    throw new DecernError("INTERNAL_ERROR", { detail: "the clock did not return an instant" });
  }

  /** When something starts, for {@link since}. */
  start(): number {
    if (!this.#measures) return 0;
    try {
      return Number(this.#clock.monotonic());
    } catch {
      return Number.NaN;
    }
  }

  /** Seconds: finite and never negative, whatever the clock says. */
  since(startedMs: number): number {
    const seconds = (this.start() - startedMs) / 1000;
    return seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : 0;
  }
}
