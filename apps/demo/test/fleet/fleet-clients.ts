/** One call, as its client saw it. All instants are of this machine's clock, in milliseconds since the Unix epoch. */
interface SeenCall {
  readonly process: number;
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly evaluatedMs: number;
  readonly status: number;
  /** The set of each profile or table that took part. */
  readonly sets: readonly (number | undefined)[];
}

/** What clients ask. `Reply` is the envelope, which only a reply with status 200 is. */
export interface Question<Reply> {
  readonly decision: string;
  /** @param call - counts the calls of a client */
  inputOf(call: number): object;
  /** The sets that an answer shows. */
  setsIn(reply: Reply): readonly (number | undefined)[];
}

/** Clients that call all processes without a pause, each one process. */
export class FleetClients<Reply> {
  readonly #calls: SeenCall[] = [];
  readonly #work: readonly Promise<void>[];
  readonly #processes: number;
  #isOver = false;

  constructor(fleet: readonly { readonly url: string }[], clientsEach: number, question: Question<Reply>) {
    this.#processes = fleet.length;
    this.#work = fleet.flatMap(({ url }, process) =>
      Array.from({ length: clientsEach }, async () => {
        for (let count = 0; !this.#isOver; count += 1)
          this.#calls.push(await call(url, process, question, question.inputOf(count)));
      }),
    );
  }

  /** How many calls each process answered with a set. */
  answeredWith(set: number): readonly number[] {
    return Array.from(
      { length: this.#processes },
      (_unused, process) =>
        this.#calls.filter((seen) => seen.process === process && seen.sets[0] === set).length,
    );
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }

  /**
   * The calls around a switch to another set.
   *
   * @param set - the new one
   */
  around(set: number, activateAtMs: number) {
    const before = this.#calls.filter(({ receivedMs }) => receivedMs < activateAtMs);
    const after = this.#calls.filter(({ sentMs }) => sentMs >= activateAtMs);
    const across = this.#calls.length - before.length - after.length;
    console.log(`${before.length} answers before the instant, ${after.length} after it, ${across} across it`);
    return {
      failed: this.#calls.filter(({ status }) => status !== 200),
      mixed: this.#calls.filter(({ sets: [first, second] }) => first !== second || first === undefined),
      // By the processes' own clocks too: none used the new set for an evaluation before the instant.
      early: [
        ...before.filter(({ sets: [mark = 0] }) => mark >= set),
        ...this.#calls.filter(({ sets, evaluatedMs }) => sets[0] === set && evaluatedMs < activateAtMs),
      ],
      late: after.filter(({ sets: [mark] }) => mark !== set),
    };
  }
}

/** What `around` returns for a switch at one instant, without a mixed answer. */
export const atOneInstant = { failed: [], mixed: [], early: [], late: [] };

async function call<Reply>(
  url: string,
  process: number,
  question: Question<Reply>,
  input: object,
): Promise<SeenCall> {
  const sentMs = Date.now();
  const reply = await fetch(`${url}/decisions/${question.decision}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input }),
  });
  const envelope = JSON.parse(await reply.text());
  return {
    process,
    sentMs,
    receivedMs: Date.now(),
    evaluatedMs: Date.parse(envelope.meta?.evaluatedAt),
    status: reply.status,
    sets: question.setsIn(envelope),
  };
}
