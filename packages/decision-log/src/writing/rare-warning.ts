/** How long further events are only counted, in milliseconds. */
const quietMs = 5000;

/** Reports the first of many events at once, and the further ones together, every few seconds. */
export class RareWarning {
  readonly #report: (count: number) => void;
  #count = 0;
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param report - gets how many there were since the last report */
  constructor(report: (count: number) => void) {
    this.#report = report;
  }

  add(count: number): void {
    this.#count += count;
    if (this.#timer === undefined) this.tell();
  }

  /** Reports at once what was not reported yet. */
  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0) return;
    const count = this.#count;
    this.#count = 0;
    this.#report(count);
    this.#timer = setTimeout(() => this.#end(), quietMs);
    this.#timer.unref();
  }

  #end(): void {
    this.#timer = undefined;
    this.tell();
  }
}
