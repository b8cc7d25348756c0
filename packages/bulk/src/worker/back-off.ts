import { setTimeout as sleep } from "node:timers/promises";

const firstMs = 100;
const mostMs = 10_000;

/** How long to wait after something failed: longer each time, until something succeeds. */
export class BackOff {
  #nextMs = firstMs;

  /** Resolves once it is time to try again, or `signal` is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    // Workers that lost the same database must not all come back at the same instant.
    const waitMs = this.#nextMs * (0.5 + Math.random() / 2);
    this.#nextMs = Math.min(this.#nextMs * 2, mostMs);
    await pause(waitMs, signal);
  }

  reset(): void {
    this.#nextMs = firstMs;
  }
}

/** Resolves after `ms` milliseconds, or once `signal` is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
