import type { ErrorCode, ErrorReply, RequestView } from "@decern/core";
import { tableReply } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";

/** The values of one row. `null` asks for NULL. */
export type Row = readonly unknown[] | null;

/** How a row's result is written: as JSON text in a string, or as JSON itself. */
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
  /** What results are unless the host says otherwise. */
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

/** The warehouses that call decisions. */
export type Engine = "bigquery" | "snowflake" | "redshift";

/** One request of a warehouse, without its rows: for `profileResolver` and `caller`. */
export interface WarehouseBatch {
  readonly engine: Engine;
  /** What the engine calls the request: `requestId`, `sf-external-function-query-batch-id` or `request_id`. */
  readonly id: string | undefined;
  /**
   * Who runs the query, as the engine says: `sessionUser`, `sf-context-current-user-base64` (with `CONTEXT_HEADERS = (current_user)`)
   * or `user`.
   */
  readonly user: string | undefined;
  /** BigQuery: `userDefinedContext`. Redshift: `cluster`, `database`, `external_function` and `query_id`. Snowflake: empty. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The HTTP request. Redshift has none. */
  readonly request: RequestView | undefined;
}

/** The most bytes that an engine shows of a message. BigQuery takes less than 1 KB. */
const maxMessage = 1000;

/** Why a request as a whole is rejected. Its message may leave. */
export class BatchRefusal extends Error {
  override readonly name = "BatchRefusal";
  readonly reply: ErrorReply;

  constructor(code: ErrorCode, detail?: string, status?: number) {
    const reply = tableReply(code, detail);
    super(reply.message);
    this.reply = status === undefined ? reply : { ...reply, status };
  }
}

/** A message with its code, in fewer bytes than any engine's limit. */
export function messageOf({ message, code }: ErrorReply): string {
  const suffix = ` (${code})`;
  let text = message;
  while (Buffer.byteLength(text) + suffix.length > maxMessage)
    text = text.slice(0, -Math.ceil(text.length / 10));
  // Half a character is none.
  return `${text.replace(/[\ud800-\udbff]$/, "")}${suffix}`;
}

/** A JSON object. */
type Members = Readonly<Record<string, unknown>>;

/** @throws BatchRefusal where the body of a request isn't a JSON object */
export function membersOf(body: unknown): Members {
  if (isJsonObject(body)) return body;
  throw new BatchRefusal("BAD_REQUEST", "the body must be a JSON object");
}

/** @throws BatchRefusal where a member isn't a list */
export function listIn(members: Members, name: string): readonly unknown[] {
  const value = members[name];
  if (Array.isArray(value)) return value;
  throw new BatchRefusal("BAD_REQUEST", `the body has no list "${name}"`);
}

/** A member that is text and not empty. */
export function textIn(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Checks that a row has an argument for each column. Otherwise the function was created with other arguments than this
 * service expects, so that no row of it can be evaluated.
 *
 * @param value - a row
 * @param index - of the row
 * @throws BatchRefusal
 */
export function checkedRow(
  value: unknown,
  index: number,
  offset: number,
  columns: readonly string[],
): readonly unknown[] {
  if (!Array.isArray(value)) throw new BatchRefusal("BAD_REQUEST", `row ${index} is not a list`);
  const row: readonly unknown[] = value;
  const count = row.length - offset;
  if (count === columns.length) return row;
  const expected = `${columns.length} ${columns.length === 1 ? "column is" : "columns are"} configured: ${columns.join(", ")}`;
  throw new BatchRefusal(
    "BAD_REQUEST",
    `row ${index} has ${Math.max(0, count)} ${count === 1 ? "argument" : "arguments"}, but ${expected}`,
  );
}

/** What an engine, or what is in front of it, lets through. */
interface ReplyLimit {
  readonly bytes: number;
  /** For messages, such as "10 MB". */
  readonly name: string;
  /** What limits the rows of a batch, where the function is created. */
  readonly setting: string;
}

/**
 * Checks the size of a reply. Larger ones fail without a reason, or are asked for again and again.
 *
 * @param bytes - of the reply
 * @throws BatchRefusal that says how many rows fit
 */
export function checkReplySize(
  bytes: number,
  rows: number,
  { bytes: most, name, setting }: ReplyLimit,
): void {
  if (bytes <= most) return;
  const problem = `the reply would have ${bytes} bytes, more than ${name}`;
  if (rows === 1) throw new BatchRefusal("BATCH_TOO_LARGE", `${problem}, and it has one row`);
  // Results differ in length.
  const fitting = Math.max(1, Math.floor((rows * most * 0.9) / bytes));
  throw new BatchRefusal("BATCH_TOO_LARGE", `${problem}. Create the function with ${setting} ${fitting}`);
}
