/**
 * Who evaluates beside whom in this process. When a process dies, everything that it had is under suspicion. So inputs that were
 * tried before are taken while nothing else is: no neighbour can die with them time and again.
 */
export class Turns {
  #beside = 0;
  #isAlone = false;
  #wantAlone = 0;
  #waiting: (() => void)[] = [];

  /** Resolves once no exclusive turn is running. Call the returned function at the end. */
  async beside(): Promise<() => void> {
    while (this.#isAlone || this.#wantAlone > 0) await this.#change();
    this.#beside += 1;
    return this.#once(() => {
      this.#beside -= 1;
    });
  }

  /** Resolves once no other turn is running. */
  async alone(): Promise<() => void> {
    this.#wantAlone += 1;
    while (this.#isAlone || this.#beside > 0) await this.#change();
    this.#wantAlone -= 1;
    this.#isAlone = true;
    return this.#once(() => {
      this.#isAlone = false;
    });
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #once(leave: () => void): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      leave();
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }
}

/** The turns of this process, whatever its sources. */
export const turns = new Turns();
