/** Shares work out among those who do it, in order. */
export class PartQueue<Part> {
  readonly #rest: Iterator<Part>;
  #hasFailed = false;

  constructor(parts: Iterable<Part>) {
    this.#rest = parts[Symbol.iterator]();
  }

  /** Resolves once all is done. Once something fails nobody begins anything more, and it rejects when everybody has ended. */
  async run<Member>(
    members: readonly Member[],
    work: (member: Member, part: Part) => Promise<void>,
  ): Promise<void> {
    const ends = await Promise.allSettled(members.map((member) => this.#workOff(member, work)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #workOff<Member>(member: Member, work: (member: Member, part: Part) => Promise<void>): Promise<void> {
    while (!this.#hasFailed) {
      const next = this.#rest.next();
      if (next.done === true) return;
      try {
        await work(member, next.value);
      } catch (error) {
        this.#hasFailed = true;
        throw error;
      }
    }
  }
}
