interface FlushWait {
  /** How many records must have been written or lost. */
  readonly count: number;
  /** Whether to go on as soon as the store is down. */
  readonly isImpatient: boolean;
  readonly resolve: () => void;
}

/** Those who wait until records have been written or lost. */
export class FlushWaits {
  /** How many records were taken so far. */
  taken = 0;
  #ended = 0;
  #waits: readonly FlushWait[] = [];

  get isAwaited(): boolean {
    return this.#waits.length > 0;
  }

  /** Resolves once everything taken so far has ended. */
  add(isImpatient: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waits = [...this.#waits, { count: this.taken, isImpatient, resolve }];
    });
  }

  /** Takes note that so many further records were written or lost. */
  end(count: number): void {
    this.#ended += count;
    this.#resolve((wait) => wait.count <= this.#ended);
  }

  endImpatient(): void {
    this.#resolve(({ isImpatient }) => isImpatient);
  }

  #resolve(isOver: (wait: FlushWait) => boolean): void {
    if (this.#waits.length === 0) return;
    const over = this.#waits.filter(isOver);
    this.#waits = this.#waits.filter((wait) => !over.includes(wait));
    for (const { resolve } of over) resolve();
  }
}
