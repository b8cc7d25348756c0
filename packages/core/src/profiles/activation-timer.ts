import { keepNothingAlive } from "./keep-nothing-alive.js";

/**
 * The longest wait, in milliseconds. A timer counts the time that a machine runs, while the clock may be set, or go on while
 * the machine sleeps. Nor can a timer wait for years.
 */
const longestMs = 60_000;

/** Calls back at an instant of the machine's clock, however far off it is. At most a minute late when the clock is set. */
export class ActivationTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param atMs - in milliseconds since the Unix epoch. Replaces the instant before. */
  start(atMs: number, callback: () => void): void {
    this.stop();
    this.#timer = setTimeout(
      () => {
        // A timer may come early.
        if (Date.now() < atMs) this.start(atMs, callback);
        else callback();
      },
      Math.min(atMs - Date.now(), longestMs),
    );
    keepNothingAlive(this.#timer);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
