import { decodeProfiles, maxProfileBytes, tooLarge } from "./profile-bytes.js";
import { notLoaded, readProfileDocument } from "./profile-document.js";
import type { ProfileLoader } from "./profile-loader.js";

/**
 * Reads profiles over HTTP, and asks with the tag of the set in use. It follows no redirect: headers with a secret must not
 * reach another host.
 */
export function urlLoader(url: URL, headers: Readonly<Record<string, string>>): ProfileLoader {
  // The query and the credentials of a URL are often secrets.
  const name = `${url.origin}${url.pathname}`;
  return {
    name,
    load: async ({ etag, signal }) => {
      const response = await request(url, headers, { etag, signal }, name);
      if (response.status === 304 && etag !== undefined) return undefined;
      if (response.status !== 200) {
        discard(response);
        throw notLoaded(name, refusal(response));
      }
      const text = decodeProfiles(await readBody(response, name, signal), name);
      return {
        text,
        etag: response.headers.get("etag") ?? undefined,
        read: () => readProfileDocument(text, name),
      };
    },
  };
}

async function request(
  url: URL,
  given: Readonly<Record<string, string>>,
  { etag, signal }: { readonly etag: string | undefined; readonly signal: AbortSignal },
  name: string,
): Promise<Response> {
  const headers = new Headers(given);
  if (!headers.has("accept")) headers.set("accept", "application/json");
  // Without this, fetch adds `no-cache` to a conditional request, and Express answers such a request with 200 every time.
  if (!headers.has("cache-control")) headers.set("cache-control", "max-age=0");
  if (etag !== undefined) headers.set("if-none-match", etag);
  try {
    return await fetch(url, { headers, signal, redirect: "manual" });
  } catch (error) {
    throw unreachable(name, "cannot be reached", error, signal);
  }
}

function refusal({ status, type }: Response): string {
  // A redirect that is not followed has the status 0 where fetch hides it.
  if (type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)) {
    return "is a redirect, which is not followed: use the URL that it points to";
  }
  return `responded with status ${status} instead of 200${status === 304 ? " to an unconditional request" : ""}`;
}

async function readBody(response: Response, name: string, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (size > maxProfileBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(name, "stopped responding", error, signal);
  }
  if (size > maxProfileBytes) throw tooLarge(name);
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/** Lets go of a connection whose body nobody reads. */
function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function unreachable(name: string, what: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return notLoaded(name, `${what}${code}`, error);
}
