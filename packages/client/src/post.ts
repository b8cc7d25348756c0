import type { ErrorCode } from "@decern/core";
import type { ClientOptions, SendOptions } from "./client.js";
import { DecernClientError, textOf, unexpected } from "./read-reply.js";

// Timers take 31 bits, and fire immediately for more.
const longest = 2 ** 31 - 1;

/** Works until it is done, a time is over, or a caller's signal is aborted. */
async function within<T>(
  timeoutMs: number,
  { signal: outer, requestId }: SendOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const abortWithCaller = () =>
    controller.abort(
      new DecernClientError("ABORTED", "The call was aborted", { requestId, cause: outer?.reason }),
    );
  const timeOut = () =>
    controller.abort(new DecernClientError("TIMEOUT", `No reply within ${timeoutMs} ms`, { requestId }));
  const timer = timeoutMs > longest ? undefined : setTimeout(timeOut, timeoutMs);
  // Not all work ends with its signal: a `fetch` of the caller's, or a function that gets headers.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  if (outer?.aborted) abortWithCaller();
  outer?.addEventListener("abort", abortWithCaller);
  try {
    return await Promise.race([aborted, work(signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abortWithCaller);
  }
}

/** Waits. Returns early when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    const timer = setTimeout(done, Math.min(ms, longest));
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

/** What is sent to a decision, and how its reply is read. */
interface Message<Reply> {
  /** The path below the decision's own. */
  readonly path?: string;
  readonly type: string;
  readonly body: string;
  /** @param text - the reply's body */
  read(response: Response, text: string): Reply;
}

/** Sends a message to a decision until it gets a response, as often and as long as the options say. */
export async function post<Reply>(
  client: ClientOptions,
  id: string,
  message: Message<Reply>,
  options: SendOptions,
): Promise<Reply> {
  const { version, requestId } = options;
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 10_000;
  const retries = options.retries ?? client.retries ?? 2;
  const end = Date.now() + timeoutMs;
  const decision = `/decisions/${segment(id, "DECISION_NOT_FOUND", requestId)}`;
  const part = version === undefined ? "" : `/versions/${segment(version, "VERSION_NOT_FOUND", requestId)}`;
  const url = `${String(client.url).replace(/\/+$/, "")}${decision}${part}${message.path ?? ""}`;

  const attempt = async (signal: AbortSignal) => {
    const { headers: given, fetch: send = fetch } = client;
    const headers = new Headers(typeof given === "function" ? await given() : given);
    headers.set("content-type", message.type);
    if (requestId !== undefined) headers.set("x-request-id", requestId);
    // What the service may see and decide is not for the place that it points to.
    const init = { method: "POST", headers, body: message.body, signal, redirect: "manual" } as const;
    try {
      const response = await send(url, init);
      const { status, type, redirected } = response;
      // A browser tells nothing of a redirect, and a `fetch` of the caller's may have followed it.
      if (type === "opaqueredirect" || redirected || (status >= 300 && status < 400))
        throw unexpected(response, `${url} redirects: no redirect is followed`);
      return message.read(response, await textOf(response, client.maxReplyBytes ?? 64 * 1024 * 1024));
    } catch (error) {
      throw error instanceof DecernClientError
        ? error
        : new DecernClientError("NETWORK_ERROR", `No reply from ${url}`, { requestId, cause: error });
    }
  };

  return within(timeoutMs, options, async (signal) => {
    for (let count = 0; ; count += 1) {
      try {
        signal.throwIfAborted();
        return await attempt(signal);
      } catch (error) {
        const wait = waitBefore(count, error);
        if (wait === undefined || count >= retries || Date.now() + wait >= end) throw error;
        await sleep(wait, signal);
      }
    }
  });
}

/** A part of a path. `fetch` would resolve dots, and so ask for something else. */
function segment(text: string, code: ErrorCode, requestId: string | undefined): string {
  if (/^\.{0,2}$/.test(text))
    throw new DecernClientError(code, `Not an id or a version: "${text}"`, { requestId });
  return encodeURIComponent(text);
}

/** How long to wait before the next attempt in milliseconds; `undefined` if a further one would change nothing. */
function waitBefore(count: number, error: unknown): number | undefined {
  if (!(error instanceof DecernClientError)) return undefined;
  const { code, status = 0, retryAfterMs } = error;
  if (code !== "NETWORK_ERROR" && ![429, 502, 503, 504].includes(status)) return undefined;
  // Longer each time, and not at the same moment as other clients.
  return retryAfterMs ?? Math.min(100 * 2 ** count, 5000) * (1 + Math.random());
}
