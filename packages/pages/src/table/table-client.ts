import type { TableCall } from "@decern/table/browser";
import type { DocsContent, DocsDecision } from "../model/data.js";
import type { Asked, Told, ToWorker } from "./worker-messages.js";

/** Starts a worker for one table, or for the draft of one. */
export function openWorker(): Worker {
  return new Worker(new URL("./table-worker.ts", import.meta.url), { type: "module" });
}

/** One table in a worker of its own. */
export class TableClient {
  readonly #worker = openWorker();
  readonly #waiting = new Map<number, (told: Told) => void>();
  #tickets = 0;
  /** Why it does not reply. */
  #failure: string | undefined;

  constructor({ id, inputSchema, profileSchema }: DocsDecision, content: DocsContent) {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Told>) => {
      this.#waiting.get(data.ticket)?.(data);
      this.#waiting.delete(data.ticket);
    });
    // Its script could not be loaded, say.
    this.#worker.addEventListener("error", ({ message }) => {
      this.#failure = message || "its script did not load";
      for (const [ticket, settle] of this.#waiting) settle({ ticket, problem: this.#failure });
      this.#waiting.clear();
    });
    this.#send({ kind: "open", id, content, schemas: { inputSchema, profileSchema } });
  }

  mark(call: TableCall): Promise<Told> {
    return this.#ask((ticket) => ({ kind: "mark", ticket, call }));
  }

  analyze(profile: unknown): Promise<Told> {
    return this.#ask((ticket) => ({ kind: "analyze", ticket, profile }));
  }

  /** Ends what is under way, without a reply. */
  end(): void {
    this.#worker.terminate();
  }

  #ask(asked: (ticket: number) => Asked): Promise<Told> {
    this.#tickets += 1;
    const ticket = this.#tickets;
    if (this.#failure !== undefined) return Promise.resolve({ ticket, problem: this.#failure });
    return new Promise((resolve) => {
      this.#waiting.set(ticket, resolve);
      this.#send(asked(ticket));
    });
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}
