import type { Draft, DraftRow } from "../draft/draft.js";
import type {
  DraftQuestions,
  DraftReplies,
  QuestionKind,
  ToDraftWorker,
  ToldOfDraft,
} from "../draft/draft-messages.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { openWorker } from "../table/table-client.js";

/** The draft of one table in a worker of its own, so that the page waits for nothing while somebody types. */
export class DraftClient {
  readonly #worker = openWorker();
  readonly #waiting = new Map<number, (told: ToldOfDraft) => void>();
  #tickets = 0;
  /** Why it does not reply. */
  #failure: string | undefined;
  /** The draft that the worker has. */
  #sent: Draft | undefined;
  /** Rows that it has, or had. A row that changes is a new object. */
  readonly #stamps = new WeakMap<DraftRow, number>();
  #stampsGiven = 0;

  constructor({ id, inputSchema, profileSchema }: DocsDecision, content: DocsContent) {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<ToldOfDraft>) => {
      this.#waiting.get(data.ticket)?.(data);
      this.#waiting.delete(data.ticket);
    });
    // Its script could not be loaded, say.
    this.#worker.addEventListener("error", ({ message }) => {
      this.#failure = message || "its script did not load";
      for (const [ticket, settle] of this.#waiting) settle({ ticket, failure: this.#failure });
      this.#waiting.clear();
    });
    this.#send({ kind: "edit", id, content, schemas: { inputSchema, profileSchema } });
  }

  /**
   * Asks something of a draft.
   *
   * @throws Error (rejects with it) why there is no reply
   */
  async ask<Kind extends QuestionKind>(
    draft: Draft,
    about: Kind,
    given: DraftQuestions[Kind],
  ): Promise<DraftReplies[Kind]> {
    if (draft !== this.#sent) this.#sendDraft(draft);
    this.#tickets += 1;
    const ticket = this.#tickets;
    const { value, failure } =
      this.#failure === undefined
        ? await new Promise<ToldOfDraft>((resolve) => {
            this.#waiting.set(ticket, resolve);
            // Holds: a kind comes with what is asked of it.
            this.#send({ kind: "ask", ticket, about, given } as ToDraftWorker);
          })
        : { failure: this.#failure };
    if (failure !== undefined) throw new Error(failure);
    // Holds: the worker replies to a question as its kind says.
    return value as DraftReplies[Kind];
  }

  /** Ends what is under way, without a reply. */
  end(): void {
    this.#worker.terminate();
  }

  #sendDraft(draft: Draft): void {
    const known = new Set(this.#sent?.rows);
    const fresh: (readonly [number, readonly string[]])[] = [];
    const order = draft.rows.map((row) => {
      const stamp = this.#stamps.get(row) ?? this.#stamp(row);
      if (!known.has(row)) fresh.push([stamp, row.values]);
      return stamp;
    });
    const { head, otherwise } = draft;
    this.#send({ kind: "draft", head, order, rows: fresh, otherwise });
    this.#sent = draft;
  }

  #stamp(row: DraftRow): number {
    this.#stampsGiven += 1;
    this.#stamps.set(row, this.#stampsGiven);
    return this.#stampsGiven;
  }

  #send(message: ToDraftWorker): void {
    this.#worker.postMessage(message);
  }
}
