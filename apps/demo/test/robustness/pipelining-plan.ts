import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { bodyLimit, type HostName, hostNames, key } from "./pipelining-hosts.js";

/** The prefix of planned request ids. Generated ids cannot have it, because they are hexadecimal. */
export const idPrefix = "q";

/** One request of a connection. */
export interface PlannedRequest {
  readonly kind: string;
  readonly id: string;
  readonly method: string;
  readonly bytes: Buffer;
  /** The expected statuses if nothing interferes. */
  readonly statuses: readonly number[];
  /** Whether its reply must end the connection. False if the reply merely may. */
  readonly closes: boolean;
  /** Whether the reply carries the request's id. Replies that Node sends, or that belong to no request, don't. */
  readonly identified: boolean;
}

/** How a client behaves on one connection. */
export interface ConnectionPlan {
  readonly host: HostName;
  readonly requests: readonly PlannedRequest[];
  /** Where the bytes are split, as fractions of the whole, and how long the client waits at each split. */
  readonly cuts: readonly (readonly [at: number, pause: "none" | "turn" | "moment"])[];
  /** After which fraction of the bytes, and how, the client leaves. By default it stays until it has all replies. */
  readonly leave: { readonly at: number; readonly how: "end" | "destroy" | "reset" } | undefined;
}

const decision = "/decisions/loan-approval";
const valid = {
  applicant: { age: 40, income: 60_000, creditScore: 720, employment: "employed" },
  amount: 10_000,
  termMonths: 48,
  country: "DE",
};

/** A request without a host or position. */
interface Draft {
  readonly method?: string;
  readonly path?: string;
  readonly version?: "1.0" | "1.1";
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  readonly chunked?: boolean;
  readonly statuses: readonly number[];
  readonly closes?: boolean;
}

type DraftFor = (host: HostName) => Draft;

const isServer = (host: HostName): boolean => host.startsWith("server");
const input = (host: HostName, value: unknown): string =>
  JSON.stringify(isServer(host) ? { input: value } : value);
const evaluate = (host: HostName): Draft => ({ body: input(host, valid), statuses: [200] });
const page =
  (path: string, method = "GET"): DraftFor =>
  (host) => ({ method, path, statuses: isServer(host) ? [200] : [404] });

const kinds: Readonly<Record<string, DraftFor>> = {
  "an evaluation": evaluate,
  "an evaluation in chunks": (host) => ({ ...evaluate(host), chunked: true }),
  "an evaluation of HTTP/1.0": (host) => ({ ...evaluate(host), version: "1.0", closes: true }),
  "an evaluation of HTTP/1.0 that goes on": (host) => ({
    ...evaluate(host),
    version: "1.0",
    headers: ["connection: keep-alive"],
  }),
  "a last evaluation": (host) => ({ ...evaluate(host), headers: ["connection: close"], closes: true }),
  "a wrong input": (host) => ({ body: input(host, { amount: "much" }), statuses: [400] }),
  "an unknown decision": (host) => ({ ...evaluate(host), path: "/decisions/nobody", statuses: [404] }),
  "no JSON": () => ({ body: '{"input":', statuses: [400] }),
  "a forbidden key": () => ({ body: '{"__proto__":1}', statuses: [400] }),
  "an empty body": (host) => ({ body: "", statuses: isServer(host) ? [400] : [400, 413, 415] }),
  "a body that is too long": (host) => ({
    body: input(host, { note: "x".repeat(bodyLimit) }),
    statuses: [413],
  }),
  "chunks that are too long": (host) => ({
    body: input(host, { note: "x".repeat(bodyLimit) }),
    chunked: true,
    statuses: [413],
  }),
  "a compressed body": (host) => ({
    body: gzipSync(input(host, valid)),
    headers: ["content-encoding: gzip"],
    // Express decompresses bodies.
    statuses: host === "express" ? [200] : [400, 415],
  }),
  "a text": () => ({ body: "hello", headers: ["content-type: text/plain"], statuses: [400, 415] }),
  "no Host": () => ({ method: "GET", path: "/", headers: ["host"], statuses: [400], closes: true }),
  "no Host, with a body": (host) => ({ ...evaluate(host), headers: ["host"], statuses: [400], closes: true }),
  "no route": () => ({ method: "GET", path: "/nowhere", statuses: [404] }),
  "another method": (host) => ({
    method: "DELETE",
    path: decision,
    statuses: isServer(host) ? [405] : [404],
  }),
  "a preflight": (host) => ({
    method: "OPTIONS",
    path: decision,
    headers: ["origin: http://a.example", "access-control-request-method: POST"],
    // Express itself replies to OPTIONS for known paths.
    statuses: isServer(host) ? [204] : [200, 204, 404],
  }),
  about: page("/"),
  "a probe": page("/health/live"),
  readiness: page("/health/ready", "HEAD"),
  "the list": page("/decisions"),
  "the list's head": page("/decisions", "HEAD"),
  "a schema": page(`${decision}/schema`),
  "an endpoint's schema": page(`${decision}/endpoint-schema`),
  metrics: page("/metrics"),
  "the OpenAPI document": page("/openapi.json"),
  "Swagger UI": page("/swagger"),
  "a file of Swagger UI": page("/swagger/static/logo.svg"),
  "the docs page": page("/docs"),
  "the docs page's data": page("/docs/catalogue.json"),
};

/** Bytes that aren't HTTP. Nothing after them can be read. */
const garbage = [
  "\x16\x03\x01 hello\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "nonsense\r\n\r\n",
  "GET /a b HTTP/1.1\r\n\r\n",
];

const open = new Set(["/", "/health/live", "/health/ready", "/swagger", "/swagger/static/logo.svg", "/docs"]);

/** A request at its position. Its id contains the connection and the position. */
function place(kind: string, host: HostName, withKey: boolean, id: string): PlannedRequest {
  const draft = kinds[kind]?.(host) ?? evaluate(host);
  const { method = "POST", path = decision, version = "1.1", headers = [], body, chunked = false } = draft;
  const content = body === undefined ? undefined : Buffer.from(body);
  const hasHost = !headers.includes("host");
  const lines = [
    `${method} ${path} HTTP/${version}`,
    `x-request-id: ${id}`,
    ...(hasHost ? ["host: x"] : []),
    ...(withKey ? [`x-api-key: ${key}`] : []),
    ...(content === undefined || headers.some((line) => line.startsWith("content-type"))
      ? []
      : ["content-type: application/json"]),
    ...headers.filter((line) => line !== "host"),
    ...(content === undefined
      ? []
      : [chunked ? "transfer-encoding: chunked" : `content-length: ${content.length}`]),
  ];
  const end = content === undefined ? [] : chunked ? inChunks(content) : [content];
  const asksForKey = host === "server with keys" && !withKey && method !== "OPTIONS" && !open.has(path);
  return {
    kind,
    id,
    method,
    bytes: Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), ...end]),
    // A request without Host is refused before authentication.
    statuses: asksForKey && hasHost ? [401] : draft.statuses,
    closes: draft.closes ?? false,
    identified: hasHost || isServer(host),
  };
}

/** A client that sends one request and leaves. */
export function plainPlan(host: HostName): ConnectionPlan {
  const requests = [place("a last evaluation", host, true, `${idPrefix}-plain`)];
  return { host, requests, cuts: [], leave: undefined };
}

function inChunks(content: Buffer): Buffer[] {
  const half = Math.ceil(content.length / 2);
  const parts = [content.subarray(0, half), content.subarray(half)].filter((part) => part.length > 0);
  return [
    ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]),
    Buffer.from("0\r\n\r\n"),
  ];
}

const part = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const cut = fc.tuple(part, fc.constantFrom("none" as const, "turn" as const, "moment" as const));

/** The behaviour of one client. `name` is part of every request's id. */
export function connectionPlan(
  names: readonly HostName[] = hostNames,
): fc.Arbitrary<(name: string) => ConnectionPlan> {
  return fc
    .record({
      host: fc.constantFrom(...names),
      steps: fc.array(
        fc.record({
          kind: fc.oneof(
            { weight: 3, arbitrary: fc.constant("an evaluation") },
            { weight: 5, arbitrary: fc.constantFrom(...Object.keys(kinds)) },
          ),
          withKey: fc.oneof(
            { weight: 4, arbitrary: fc.constant(true) },
            { weight: 1, arbitrary: fc.constant(false) },
          ),
        }),
        { minLength: 1, maxLength: 10 },
      ),
      noise: fc.option(fc.constantFrom(...garbage), { freq: 5 }),
      cuts: fc.array(cut, { maxLength: 6 }),
      leave: fc.option(
        fc.record({
          at: part,
          how: fc.constantFrom("end" as const, "destroy" as const, "reset" as const),
        }),
        { freq: 4 },
      ),
    })
    .map(({ host, steps, noise, cuts, leave }) => (name) => {
      const placed = steps.map(({ kind, withKey }, index) => place(kind, host, withKey, `${name}-${index}`));
      const requests = isServer(host) ? placed : upToClose(placed);
      if (noise !== null && isServer(host)) requests.push(noiseOf(noise, `${name}-noise`));
      return { host, requests, cuts: cuts.toSorted(([a], [b]) => a - b), leave: leave ?? undefined };
    });
}

/**
 * In an adapter's host, Node or the host itself replies to bytes that aren't HTTP, and to requests after the client's own
 * `Connection: close`, possibly out of order.
 */
function upToClose(requests: readonly PlannedRequest[]): PlannedRequest[] {
  const last = requests.findIndex(({ closes }) => closes);
  return requests.slice(0, last === -1 ? undefined : last + 1);
}

function noiseOf(text: string, id: string): PlannedRequest {
  const bytes = Buffer.from(text, "latin1");
  return { kind: "noise", id, method: "", bytes, statuses: [400], closes: true, identified: false };
}
