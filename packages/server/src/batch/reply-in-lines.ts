import type { ServerResponse } from "node:http";
import { type Awaitable, DecernError } from "@decern/core";
import {
  errorBody,
  hasForbiddenKey,
  type Lists,
  type Many,
  parseJsonText,
  toErrorReply,
} from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { isThenable } from "@decern/core/tools";
import type { Connection } from "../connections/connection.js";
import type { CallBody } from "../request/body.js";
import { type BodyReader, type Line, LineSplitter, TextPieces } from "./body-reader.js";

/** The body of a batch in JSON. */
export class BatchBody {
  /** Everything but the inputs. */
  readonly rest: CallBody;
  readonly inputs: readonly unknown[];
  readonly #isSuspicious: boolean;

  constructor(rest: CallBody, inputs: readonly unknown[], isSuspicious: boolean) {
    this.rest = rest;
    this.inputs = inputs;
    this.#isSuspicious = isSuspicious;
  }

  /**
   * Reads a body. A forbidden key in an input is that input's affair.
   *
   * @returns `undefined` where there are no inputs
   * @throws DecernError `INVALID_JSON`, or `FORBIDDEN_KEY` for a key elsewhere
   */
  static parse(bytes: Uint8Array): BatchBody | undefined {
    const { value, isSuspicious } = parseJsonText(bytes);
    const { inputs, ...rest } = isJsonObject(value) ? value : {};
    if (isSuspicious && hasForbiddenKey(Array.isArray(inputs) ? rest : value)) {
      throw new DecernError("FORBIDDEN_KEY");
    }
    return Array.isArray(inputs) ? new BatchBody(rest, inputs, isSuspicious) : undefined;
  }

  /** @throws DecernError `FORBIDDEN_KEY` */
  check(input: unknown): void {
    if (this.#isSuspicious && hasForbiddenKey(input)) throw new DecernError("FORBIDDEN_KEY");
  }
}

/** What came of one input. */
export type ItemReply = Awaited<ReturnType<Many<unknown>["evaluate"]>>;

/**
 * Makes a function that evaluates the inputs of one request. Whatever fails is the reply to that input, and to no other.
 *
 * @param inputOf - reads the input of an item. It may throw
 * @param onFault - gets the service's errors, except those of evaluations, which have been reported
 */
export function itemEvaluator<Item>(
  many: Many<unknown>,
  inputOf: (item: Item) => unknown,
  onFault: (error: unknown) => void,
): (item: Item) => Awaitable<ItemReply> {
  const fail = (thrown: unknown): ItemReply => {
    const reply = toErrorReply(thrown);
    if (reply.status >= 500) onFault(thrown);
    return { body: errorBody(reply), afterwards: undefined };
  };
  return (item) => {
    try {
      const reply = many.evaluate(inputOf(item));
      return isThenable(reply) ? reply.then(undefined, fail) : reply;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}

/** How many characters of replies are made before the client has to take them: a slow reader holds as much memory. */
const mostUnsent = 256 * 1024;

/** One request in NDJSON. */
interface LineRequest {
  /** Called once, when the reply begins to be read. */
  readonly openBody: () => BodyReader;
  /** The most bytes that a line may have. */
  readonly maxLine: number;
  readonly lists: Lists;
  /** It must neither throw nor reject. */
  readonly evaluate: (line: Line) => Awaitable<ItemReply>;
  readonly places: ReturnType<Lists["placesOf"]>;
  /** Whether the reply isn't read any more. */
  readonly isGone: () => boolean;
  /** Told once nothing more is read. */
  readonly onEnd: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Responds to lines with lines. It reads only when asked for more, so a client that does not read its replies cannot send either.
 *
 * The last line has the count. Where the request ends early it is an error instead, and the client knows that lines are missing.
 */
export async function* replyInLines(request: LineRequest): AsyncGenerator<string, void, undefined> {
  const { lists, evaluate, places, isGone, onEnd, onFault } = request;
  const body = request.openBody();
  const text = new TextPieces();
  let later: (() => void)[] = [];
  let received = 0;
  let count = 0;
  const take = (reply: ItemReply): boolean => {
    count += 1;
    text.add(reply.body);
    text.add("\n");
    if (reply.afterwards !== undefined) later.push(reply.afterwards);
    return text.length < mostUnsent;
  };
  try {
    for await (const read of linesOf(request, body)) {
      received += read.length;
      for await (const _ of lists.slices(read, places, evaluate, take)) {
        // A place is for work, and the client may take its time.
        places.leave();
        yield* text.take();
        const written = later;
        later = [];
        await lists.after(written);
      }
      // What is left gets no place once the service is closing.
      if (count < received) throw new DecernError("SERVER_CLOSING");
    }
    if (!isGone()) yield `{"done":true,"count":${count}}\n`;
  } catch (thrown) {
    if (isGone()) return;
    const reply = toErrorReply(thrown);
    if (reply.status === 500) onFault(thrown);
    yield `${errorBody(reply)}\n`;
  } finally {
    places.leave();
    onEnd();
    body.release();
    // The client left before these were sent. They ran and were recorded, so they are compared too.
    void lists.after(later);
  }
}

async function* linesOf({ maxLine, isGone }: LineRequest, body: BodyReader) {
  const splitter = new LineSplitter(maxLine);
  while (!isGone()) {
    const bytes = await body.read();
    const lines = bytes === undefined ? splitter.end() : splitter.push(bytes);
    if (lines.length > 0) yield lines;
    if (bytes === undefined) return;
  }
}

/** How long a client may continue to send what isn't read, in milliseconds. */
const lingerMs = 500;

/**
 * Ends a connection after a reply that is complete before its request is. Requests that still arrive are not evaluated: no client
 * would get their replies. A connection that is cut while bytes arrive takes with it what the client has not read of the reply,
 * so what arrives goes by for a while.
 */
export function endAfterReply(response: ServerResponse, connection: Connection): void {
  const { socket } = connection;
  connection.ignored ??= 0;
  response.once("finish", () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}
