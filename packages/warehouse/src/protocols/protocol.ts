import type { ErrorReply } from "@decern/core/host";
import type { Engine } from "../batch/warehouse-batch.js";

/** The values of one row. `null` asks for NULL. */
export type Row = readonly unknown[] | null;

/** How a row's answer is written: as JSON text in a string, or as JSON itself. */
export type Emit = "text" | "json";

/** Headers as Node gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What an engine sent. */
interface SentBatch {
  readonly id: string | undefined;
  readonly user: string | undefined;
  readonly context: Readonly<Record<string, unknown>>;
  /** In order. */
  readonly rows: readonly Row[];
}

/** How one engine writes requests and reads replies. */
export interface Protocol {
  readonly engine: Engine;
  /** How many values of a row precede its arguments. */
  readonly offset: 0 | 1;
  /** What answers are unless the host says otherwise. */
  readonly emit: Emit;
  /** Whether it sends integers beyond 2^53 as JSON numbers, which parsing the body rounds. */
  readonly roundsIntegers: boolean;
  /**
   * Reads the body of a request.
   *
   * @param columns - names of the arguments
   * @throws BatchRefusal for what is not a batch of this engine
   */
  read(body: unknown, headers: Headers, columns: readonly string[]): SentBatch;
  /** Writes the body of a reply. @param answers - JSON, one for each row, in order */
  reply(rows: readonly Row[], answers: readonly string[]): string;
  /** Writes the body of an error reply. */
  refusal(reply: ErrorReply): string;
}
