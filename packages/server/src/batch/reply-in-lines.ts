import { type BatchRun, errorBody, type Places, toErrorReply } from "@decern/core/host";
import type { BodyReader } from "./body-reader.js";
import { type Line, LineSplitter } from "./line-splitter.js";
import { TextPieces } from "./text-pieces.js";

/** One request in NDJSON. */
export interface LineRequest {
  /** Called once, when the reply begins to be read. */
  readonly openBody: () => BodyReader;
  /** The most bytes that a line may have. */
  readonly maxLine: number;
  readonly run: BatchRun<Line>;
  readonly places: Places;
  /** Whether nobody reads the reply any more. */
  readonly isGone: () => boolean;
  /** Told once nothing more is read. @param isComplete - whether the body was read to its end */
  readonly onEnd: (isComplete: boolean) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Answers lines with lines. It reads only when asked for more, so a client that does not read its replies cannot send either.
 *
 * The last line has the count. Where the request ends early it is an error instead, and the client knows that lines are missing.
 */
export async function* replyInLines(request: LineRequest): AsyncGenerator<string, void, undefined> {
  const { run, places, isGone, onEnd, onFault } = request;
  const body = request.openBody();
  const text = new TextPieces();
  let count = 0;
  try {
    for await (const replies of repliesTo(request, body)) {
      count += replies.length;
      // A place is for work, and the client may take its time.
      places.leave();
      for (const { body } of replies) {
        text.add(body);
        text.add("\n");
      }
      yield* text.take();
      await run.after(replies);
    }
    if (!isGone()) yield `{"done":true,"count":${count}}\n`;
  } catch (thrown) {
    if (isGone()) return;
    const reply = toErrorReply(thrown);
    if (reply.status === 500) onFault(thrown);
    yield `${errorBody(reply)}\n`;
  } finally {
    places.leave();
    onEnd(body.isComplete);
    body.release();
  }
}

async function* repliesTo({ maxLine, run, isGone }: LineRequest, body: BodyReader) {
  const splitter = new LineSplitter(maxLine);
  while (!isGone()) {
    const bytes = await body.read();
    const lines = bytes === undefined ? splitter.end() : splitter.push(bytes);
    if (lines.length > 0) yield* run.replies(lines);
    if (bytes === undefined) return;
  }
}
