import type { FleetProcess } from "./cut-over-process.js";

/** One call, as its client saw it. All instants are of this machine's clock, in milliseconds since the Unix epoch. */
export interface SeenCall {
  readonly process: number;
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly evaluatedMs: number;
  readonly status: number;
  /** The set of each profile that took part. */
  readonly sets: readonly number[];
}

/** Clients that call all processes without a pause, each one process. */
export class FleetClients {
  readonly calls: SeenCall[] = [];
  readonly #work: readonly Promise<void>[];
  #isOver = false;

  constructor(fleet: readonly FleetProcess[], clientsEach: number) {
    this.#work = fleet.flatMap(({ url }, process) =>
      Array.from({ length: clientsEach }, async () => {
        while (!this.#isOver) this.calls.push(await call(url, process));
      }),
    );
  }

  /** How many calls each process answered with a set. */
  answeredWith(set: number, processes: number): readonly number[] {
    return Array.from(
      { length: processes },
      (_unused, process) =>
        this.calls.filter((seen) => seen.process === process && seen.sets[0] === set).length,
    );
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }
}

async function call(url: string, process: number): Promise<SeenCall> {
  const sentMs = Date.now();
  const reply = await fetch(`${url}/decisions/main`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"input":{}}',
  });
  const { data, meta } = JSON.parse(await reply.text());
  return {
    process,
    sentMs,
    receivedMs: Date.now(),
    evaluatedMs: Date.parse(meta?.evaluatedAt),
    status: reply.status,
    sets: data?.sets ?? Object.values(data ?? {}),
  };
}
