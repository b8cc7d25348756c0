/** One reply, as received on a connection. */
export interface ReadReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What was received on a connection: the complete replies, and the rest. */
export interface ReadReplies {
  readonly replies: readonly ReadReply[];
  /** The start of another reply. Empty if the last one was complete. */
  readonly rest: string;
}

const statusLine = /^HTTP\/1\.1 (\d{3}) [^\r\n]*$/;

/**
 * Reads the replies on a connection strictly: each byte belongs to one.
 *
 * @param received - as Latin-1, so each character is one byte
 * @param methods - of the requests, in order, because a reply to HEAD has a length but no body
 * @throws Error for anything that is not a reply, such as one reply in the middle of another
 */
export function readReplies(received: string, methods: readonly string[]): ReadReplies {
  const replies: ReadReply[] = [];
  let rest = received;
  while (rest !== "") {
    const read = readReply(rest, methods[replies.length]);
    if (read === undefined) break;
    replies.push(read.reply);
    rest = rest.slice(read.length);
  }
  return { replies, rest };
}

function readReply(
  text: string,
  method: string | undefined,
): { reply: ReadReply; length: number } | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) {
    if (!"HTTP/1.1 ".startsWith(text.slice(0, 9))) throw new Error(`no reply: ${text.slice(0, 200)}`);
    return undefined;
  }
  const [first = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const status = Number(statusLine.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${first.slice(0, 200)}`);
  const headers = new Map(lines.map(readHeader));
  const bodyStart = headEnd + 4;
  if (method === "HEAD" || status === 304 || status === 204 || status < 200) {
    return { reply: { status, headers, body: "" }, length: bodyStart };
  }
  if (headers.get("transfer-encoding") === "chunked") return readChunks(text, bodyStart, status, headers);
  const given = headers.get("content-length");
  if (given === undefined && headers.get("connection")?.toLowerCase() === "close") {
    // Node's own refusals have no body.
    if (text.length > bodyStart)
      throw new Error(`more behind a reply without a length: ${text.slice(0, 400)}`);
    return { reply: { status, headers, body: "" }, length: bodyStart };
  }
  const length = Number(given);
  if (!Number.isInteger(length)) throw new Error(`a reply without a length: ${first}`);
  if (text.length < bodyStart + length) return undefined;
  const body = text.slice(bodyStart, bodyStart + length);
  return { reply: { status, headers, body }, length: bodyStart + length };
}

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(": ");
  if (colon < 1) throw new Error(`no header: ${line.slice(0, 200)}`);
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
}

function readChunks(text: string, start: number, status: number, headers: ReadonlyMap<string, string>) {
  let body = "";
  let at = start;
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const line = text.slice(at, lineEnd);
    if (!/^[\da-f]+$/i.test(line)) throw new Error(`no size of a chunk: ${line.slice(0, 200)}`);
    const size = Number.parseInt(line, 16);
    const end = lineEnd + 2 + size;
    if (text.length < end + 2) return undefined;
    if (text.slice(end, end + 2) !== "\r\n") throw new Error("a chunk without an end");
    body += text.slice(lineEnd + 2, end);
    at = end + 2;
    if (size === 0) return { reply: { status, headers, body }, length: at };
  }
}
