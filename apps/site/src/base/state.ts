/** What the playground shows, and what a link to it holds. */
export interface PlaygroundState {
  /** TypeScript or JavaScript that defines decisions, or the contract of a table. */
  readonly module: string;
  /** The rows of a table whose contract the module exports. */
  readonly table?: TableText;
  /** What is in the form. Absent where the first example is. */
  readonly call?: PlaygroundCall;
}

export interface TableText {
  /** `.csv` or `.json` says how to read it. */
  readonly name: string;
  readonly text: string;
}

export interface PlaygroundCall {
  readonly input: unknown;
  readonly profile?: unknown;
}

/** Names the format: a later one will differ. */
const prefix = "#1.";

/** Servers and chat programs cut longer addresses. In characters. */
const maxFragment = 32_000;

/** What a short text inflates to must not fill the memory. In bytes. */
const maxText = 256_000;

/** The text that is compressed. */
export function textOfState({ module, table, call }: PlaygroundState): string {
  return JSON.stringify({ module, table, call });
}

/** A fragment of the compressed text, or `undefined` if it is too long for a link. */
export function fragmentOf(compressed: Uint8Array): string | undefined {
  let binary = "";
  for (const byte of compressed) binary += String.fromCharCode(byte);
  const text = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text.length > maxFragment ? undefined : prefix + text;
}

/** The fragment of a link that restores a state, or `undefined` if the state is too long for a link. */
export async function toFragment(state: PlaygroundState): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(textOfState(state));
  if (bytes.length > maxText) return undefined;
  return fragmentOf(await through(new CompressionStream("deflate-raw"), bytes, Number.POSITIVE_INFINITY));
}

/** What a fragment holds: a state, `"none"`, or `"unreadable"` for one that was cut, or that something else wrote. */
export async function fromFragment(fragment: string): Promise<PlaygroundState | "none" | "unreadable"> {
  if (fragment === "" || fragment === "#") return "none";
  if (!fragment.startsWith(prefix) || fragment.length > maxFragment + prefix.length) return "unreadable";
  try {
    const binary = atob(fragment.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const inflated = await through(new DecompressionStream("deflate-raw"), bytes, maxText);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(inflated);
    return readState(JSON.parse(text)) ?? "unreadable";
  } catch {
    return "unreadable";
  }
}

/** Sends bytes through a stream. @throws RangeError where more than `limit` bytes come out */
async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of chunksOf(new Blob([bytes]).stream().pipeThrough(stream))) {
    length += part.length;
    if (length > limit) throw new RangeError("too long");
    parts.push(part);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** As the stream's own iterator, which not every browser has. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // A stream that failed rejects it again.
    await reader.cancel().catch(() => undefined);
  }
}

function readState(value: unknown): PlaygroundState | undefined {
  if (!isObject(value) || typeof value["module"] !== "string") return undefined;
  const { module, table, call } = value;
  if (table !== undefined && !isTable(table)) return undefined;
  if (call !== undefined && !(isObject(call) && "input" in call)) return undefined;
  return {
    module,
    ...(table === undefined ? {} : { table: { name: table.name, text: table.text } }),
    ...(call === undefined ? {} : { call: callOf(call) }),
  };
}

function callOf({ input, profile }: Readonly<Record<string, unknown>>): PlaygroundCall {
  return { input, ...(profile === undefined ? {} : { profile }) };
}

function isTable(value: unknown): value is TableText {
  return (
    isObject(value) &&
    typeof value["name"] === "string" &&
    /\.(?:csv|json)$/.test(value["name"]) &&
    typeof value["text"] === "string"
  );
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
