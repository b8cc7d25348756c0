import type { DecisionSchema } from "@decern/core";
import type { TableAnalysis, TableCall, TableMarks } from "@decern/table/browser";
import type { DocsContent, DocsDecision } from "../model/data.js";

/** What a page sends its worker: first the table, then what it wants to know of it. */
export type ToWorker =
  | {
      readonly kind: "open";
      readonly id: string;
      readonly content: DocsContent;
      /** Of what callers send. */
      readonly schemas: Pick<DecisionSchema, "inputSchema" | "profileSchema">;
    }
  | Asked;

export type Asked =
  | { readonly kind: "mark"; readonly ticket: number; readonly call: TableCall }
  | { readonly kind: "analyze"; readonly ticket: number; readonly profile: unknown };

/** What the worker replies, with the ticket of what was asked. */
export interface Told {
  readonly ticket: number;
  readonly marks?: TableMarks;
  readonly analysis?: TableAnalysis;
  /** Why there is neither. */
  readonly problem?: string;
}

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
