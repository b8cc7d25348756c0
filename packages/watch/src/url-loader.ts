import { type Format, type Loader, loadedFiles, notLoaded, type Place, tooLarge } from "./place.js";

/**
 * Reads a set over HTTP, and asks with the tag of the set in use. It follows no redirect: headers with a secret must not
 * reach another host.
 */
export function urlLoader(url: URL, headers: Readonly<Record<string, string>>, format: Format): Loader {
  // The query and the credentials of a URL are often secrets.
  const place: Place = { part: format.part, source: "url", name: `${url.origin}${url.pathname}` };
  const { name } = place;
  return {
    place,
    load: async ({ etag, signal }) => {
      const response = await request(url, headers, { etag, signal }, format.accept, place);
      if (response.status === 304 && etag !== undefined) return undefined;
      if (response.status !== 200) {
        discard(response);
        throw notLoaded(place, refusal(response));
      }
      const bytes = await readBody(response, { place, format, signal });
      return loadedFiles([{ name, bytes }], place, format, response.headers.get("etag") ?? undefined);
    },
  };
}

async function request(
  url: URL,
  given: Readonly<Record<string, string>>,
  { etag, signal }: { readonly etag: string | undefined; readonly signal: AbortSignal },
  accept: string,
  place: Place,
): Promise<Response> {
  const headers = new Headers(given);
  if (!headers.has("accept")) headers.set("accept", accept);
  // Without this, fetch adds `no-cache` to a conditional request, and Express responds to such a request with 200 every time.
  if (!headers.has("cache-control")) headers.set("cache-control", "max-age=0");
  if (etag !== undefined) headers.set("if-none-match", etag);
  try {
    return await fetch(url, { headers, signal, redirect: "manual" });
  } catch (error) {
    throw unreachable(place, "cannot be reached", error, signal);
  }
}

function refusal({ status, type }: Response): string {
  // A redirect that is not followed has the status 0 where fetch hides it.
  if (type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)) {
    return "is a redirect, which is not followed: use the URL that it points to";
  }
  return `responded with status ${status} instead of 200${status === 304 ? " to an unconditional request" : ""}`;
}

async function readBody(
  response: Response,
  {
    place,
    format: { mostBytes },
    signal,
  }: { readonly place: Place; readonly format: Format; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (size > mostBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(place, "stopped responding", error, signal);
  }
  if (size > mostBytes) throw tooLarge(place, mostBytes);
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/** Releases a connection whose body is not read. */
function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function unreachable(place: Place, what: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return notLoaded(place, `${what}${code}`, error);
}
