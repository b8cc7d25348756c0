import { keepNothingAlive } from "./keep-nothing-alive.js";

/** The most milliseconds that a timer can wait. */
const longestMs = 2 ** 31 - 1;

/** Calls back at an instant, however far off it is. */
export class ActivationTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param atMs - in milliseconds since the Unix epoch. Replaces the instant before. */
  start(atMs: number, callback: () => void): void {
    this.stop();
    this.#timer = setTimeout(
      () => {
        // A timer may come early, and none can wait for years.
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
