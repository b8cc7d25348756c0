import { useEffect, useState } from "preact/hooks";
import { isObject, textOf } from "../json/values.js";
import type { SharedCall } from "../model/call.js";
import type { DocsCatalogue, DocsContent, DocsDecision, DocsFields } from "../model/data.js";
import type { Reply } from "../model/reply.js";
import { withTrace } from "../model/trace.js";
import { settled, useLatest } from "../parts/browser.js";

/** The service replied, but not with the requested data. */
export class ApiError extends Error {
  readonly status: number;
  /** As the service sent it, if that was JSON. */
  readonly body: unknown;

  constructor(status: number, message: string, body?: unknown) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** Why a request failed, for people. */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? error.message : "Couldn't reach the service";
}

export function loadCatalogue(key: string): Promise<DocsCatalogue> {
  return load("docs/catalogue.json", key);
}

export function loadFields(key: string): Promise<DocsFields> {
  return load("docs/fields.json", key);
}

/** A decision. Without a version, the service chooses one. */
export interface DecisionRef {
  readonly id: string;
  readonly version: string | undefined;
}

export function loadDecision(decision: DecisionRef, key: string): Promise<DocsDecision> {
  return load(`docs/${evaluationPath(decision)}`, key);
}

/** What a decision of `logic` was made from. */
export function loadContent(decision: DecisionRef, key: string): Promise<DocsContent> {
  return load(`docs/${evaluationPath(decision)}/content`, key);
}

/** Where a decision is evaluated, without a slash in front. */
export function evaluationPath({ id, version }: DecisionRef): string {
  const path = `decisions/${encodeURIComponent(id)}`;
  return version === undefined ? path : `${path}/versions/${encodeURIComponent(version)}`;
}

/** The full URL at which a decision is evaluated. */
export function evaluationUrl(decision: DecisionRef): string {
  return new URL(evaluationPath(decision), location.href).href;
}

/** The full URL of the service, without a slash at its end. */
export function serviceUrl(): string {
  return new URL(".", location.href).href.replace(/\/$/, "");
}

/**
 * Evaluates. Network errors become replies too, because the page shows them.
 *
 * @param how - `traced` asks for the evaluations of other decisions too; `live` leaves nothing in metrics and records
 */
export async function evaluate(
  { traced, live = false, ...decision }: DecisionRef & { readonly traced: boolean; readonly live?: boolean },
  call: SharedCall,
  key: string,
  signal?: AbortSignal,
): Promise<Reply> {
  const sent = { input: call.input, profile: call.profile, profileName: call.profileName };
  const path = evaluationPath(decision);
  const started = performance.now();
  try {
    const url = live ? `docs/live/${path}` : traced ? `docs/${path}` : path;
    const response = await request(url, key, { ...post(call), signal: signal ?? null });
    const text = await response.text();
    const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
    return {
      httpStatus: response.status,
      requestId: response.headers.get("x-request-id") ?? undefined,
      recordId: response.headers.get("decern-record-id") ?? undefined,
      milliseconds: performance.now() - started,
      ...(Number.isFinite(wait) ? { retryAfter: wait } : {}),
      ...(live || traced ? withTrace(parse(text)) : { body: parse(text) }),
      live,
      sent,
    };
  } catch (error) {
    const late = error instanceof DOMException && error.name === "TimeoutError";
    return {
      httpStatus: 0,
      requestId: undefined,
      milliseconds: performance.now() - started,
      body: { error: late ? "The service did not reply in time" : "Couldn't reach the service" },
      live,
      sent,
    };
  }
}

/**
 * Loads JSON.
 *
 * @param body - what to post; without it, the request is a GET
 * @throws ApiError when the service replies with anything else
 */
export async function load<T>(
  url: string,
  key: string,
  body?: unknown,
  signal: AbortSignal | null = null,
): Promise<T> {
  const response = await request(url, key, { ...(body === undefined ? {} : post(body)), signal });
  if (response.ok) {
    try {
      return await response.json();
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new ApiError(
        response.status,
        "The response is not JSON. A proxy may have replied instead of the service.",
      );
    }
  }
  const error = parse(await response.text());
  const message = isObject(error) ? textOf(error, "error") : undefined;
  throw new ApiError(response.status, message ?? `The service replied with status ${response.status}`, error);
}

function post(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Whether the service took a key, as each reply tells. */
export interface KeyNews {
  readonly key: string;
  /** 401 for a key that is not valid, 403 for one that may not look at records, 0 for one that was taken. */
  readonly refused: 0 | 401 | 403;
  /** Whether it was about records. */
  readonly isRecords: boolean;
}

/** The event by which every request tells the page, which may be showing another part of itself, about its key. */
export const keyNews = "decern-key-news";

async function request(url: string, key: string, { headers, ...init }: RequestInit): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(headers)), ...(key === "" ? {} : { "x-api-key": key }) },
  });
  const { status } = response;
  const isRecords = url.startsWith("records/");
  const refused = status === 401 ? 401 : isRecords && status === 403 ? 403 : 0;
  if (refused !== 0 || response.ok)
    dispatchEvent(new CustomEvent<KeyNews>(keyNews, { detail: { key, refused, isRecords } }));
  return response;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Failed {
  readonly state: "failed";
  /** The HTTP status, or 0 without a reply. */
  readonly status: number;
  readonly message: string;
  /** Loads once more. */
  retry(): void;
}

export type Loaded<T> =
  | { readonly state: "loading" }
  | Failed
  | { readonly state: "ready"; readonly value: T };

/** Loads when `key` changes or after a failure when asked to, and drops replies that arrive too late. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly result: Loaded<T> }>();
  const [attempt, setAttempt] = useState(0);
  const id = `${attempt} ${key}`;
  const latest = useLatest(load);
  useEffect(() => {
    return settled(
      latest.current(),
      (value) => setLoaded({ id, result: { state: "ready", value } }),
      (error) => {
        const status = error instanceof ApiError ? error.status : 0;
        const retry = () => setAttempt((last) => last + 1);
        setLoaded({ id, result: { state: "failed", status, message: failureText(error), retry } });
      },
    );
  }, [id]);
  return loaded?.id === id ? loaded.result : { state: "loading" };
}
