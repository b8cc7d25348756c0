import type { Socket } from "node:net";
import { explain } from "@decern/explain";
import { createServer } from "@decern/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate } from "../../../../test/suites/gate.js";
import { defaultDecisions } from "../../src/decisions/index.js";
import { serviceOptions } from "../../src/service-options.js";
import { OpenApiJudge } from "../support/openapi-judge.js";
import { readPrintedRoutes } from "../support/printed-routes.js";
import { rawRequest } from "../support/raw-request.js";
import { expectedAnswers, requestBody, send } from "../support/requests.js";
import { settings } from "../support/settings.js";

/** The demo service, with hooks that fail if the request's id says so. */
const server = createServer({
  ...serviceOptions(settings),
  // It excludes the hook below. Explanations are judged at the end of this file.
  explain: undefined,
  logger: false,
  // Requests never time out on a slow machine, but hooks that never settle soon do.
  requestTimeoutMs: 600_000,
  closeTimeoutMs: 600_000,
  hookTimeoutMs: 100,
  hooks: {
    beforeEvaluate({ requestId }) {
      if (requestId === "broken") throw new Error("a fault");
      if (requestId === "stuck") return new Promise<never>(() => {});
      const refused = requestId.match(/^refused-(\d+)$/)?.[1];
      if (refused !== undefined) throw Object.assign(new Error("Not today"), { statusCode: Number(refused) });
      return undefined;
    },
  },
});
/** The same service, with a short time-out for incomplete requests. */
const hasty = createServer({
  ...serviceOptions(settings),
  explain: undefined,
  logger: false,
  requestTimeoutMs: 500,
});
/** Connections that the first service has accepted. */
const accepted = new Set<Socket>();
let url: string;
let port: number;
let hastyPort: number;
let judge: OpenApiJudge;

beforeAll(async () => {
  url = await server.listen(0, { host: "127.0.0.1" });
  port = Number(new URL(url).port);
  hastyPort = Number(new URL(await hasty.listen(0, { host: "127.0.0.1" })).port);
  server.handler.server.on("connection", (socket: Socket) => accepted.add(socket));
  const document = await (await fetch(`${url}/openapi.json`)).json();
  judge = new OpenApiJudge(document as Record<string, unknown>);
});
afterAll(() => Promise.all([server.close(), hasty.close()]));

/** The operation that a request belongs to, or `undefined` if the document has none. */
function operationOf(method: string, path: string): string | undefined {
  return judge.operations().find((operation) => {
    const [itsMethod, itsPath = ""] = operation.split(" ");
    const pattern = new RegExp(`^${itsPath.replaceAll(".", "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}/?$`);
    return itsMethod === method && pattern.test(path);
  });
}

/** What the document calls a route: evaluations have a path for each decision, and versions for each id with several. */
function concretePaths(method: string, route: string): readonly string[] {
  if (/^\/decisions\/:id\/versions\b/.test(route)) {
    const path = route.replace(":id", "loan-approval");
    return ["1.2.0", "2.0.0"].map((version) => path.replace(":version", version));
  }
  return method === "POST" ? defaultDecisions.map(({ id }) => route.replace(":id", id)) : [route];
}

/** A path that a template stands for. */
function pathOf(template: string): string {
  const id = template.includes("{version}") ? "loan-approval" : "news2";
  return template.replace("{id}", id).replace("{version}", "1.2.0");
}

/** The path of an operation with another id or version in it. */
function otherPaths(template: string): {
  readonly unknown: readonly string[];
  readonly retired: readonly string[];
} {
  const parts = ["x".repeat(2_000), "none", "%zz"];
  if (template.includes("{version}")) {
    const pinned = template.replace("{id}", "loan-approval");
    const unknown = parts.map((part) => pinned.replace("{version}", part));
    return { unknown, retired: [pinned.replace("{version}", "1.1.0")] };
  }
  if (template.includes("{id}")) {
    return { unknown: parts.map((part) => template.replace("{id}", part)), retired: [] };
  }
  const [, id, version] = /^\/decisions\/([^/]+)\/versions(?:\/([^/]+))?/.exec(template) ?? [];
  if (id === undefined) return { unknown: [], retired: [] };
  if (version === undefined) return { unknown: parts.map((part) => template.replace(id, part)), retired: [] };
  return {
    unknown: parts.map((part) => template.replace(version, part)),
    retired: [template.replace(version, "1.1.0")],
  };
}

/** The bodies of all validated replies, by operation and status. */
const seen = new Map<string, unknown[]>();

/** Validates one reply against the document, and keeps it. */
async function judgeAnswer(operation: string, response: Response): Promise<void> {
  const status = judge.statusFor(operation, response.status);
  const documented = status === undefined ? undefined : judge.answer(operation, status);
  const key = `${operation} ${status}`;
  if (documented === undefined) throw new Error(`The document has no ${response.status} for ${operation}`);
  const text = await response.text();
  expect(response.headers.get("x-request-id"), key).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  const bodies = seen.get(key) ?? [];
  seen.set(key, bodies);
  if (text === "") {
    expect(documented.content.size, `${key} has no body`).toBe(0);
    return;
  }
  const type = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
  const validate = documented.content.get(type);
  if (validate === undefined) throw new Error(`The document has no ${type} for ${key}`);
  const value: unknown = type === "application/json" ? JSON.parse(text) : text;
  expect(validate(value) ? [] : validate.errors, `${key}: ${text}`).toEqual([]);
  bodies.push(value);
}

describe("routes", () => {
  const own = /^\/(docs|swagger)\/./;

  it("the document has every route of the server, except for the files of its pages", () => {
    const routes = readPrintedRoutes(server.handler.printRoutes({ commonPrefix: false }));
    expect(routes.length).toBeGreaterThan(10);
    const missing = routes.filter(({ method, path }) => {
      if (method === "HEAD" || method === "OPTIONS" || own.test(path)) return false;
      return concretePaths(method, path).some((each) => operationOf(method, each) === undefined);
    });
    expect(missing).toEqual([]);
  });
});

describe("replies", () => {
  it.each(
    expectedAnswers.map((entry) => [`${entry.path} ${entry.file ?? ""}: ${entry.status}`, entry] as const),
  )("%s", async (_name, entry) => {
    const operation = operationOf(entry.method ?? "POST", entry.path);
    const response = await send(url, entry);
    // A request to an unknown path or a retired version, or with a method that its path does not support, belongs to no
    // operation.
    if (operation === undefined) expect([404, 405, 410]).toContain(response.status);
    else await judgeAnswer(operation, response);
  });

  it("to requests that a file cannot contain, on every operation", async () => {
    const json = { "content-type": "application/json" };
    for (const operation of judge.operations()) {
      const [method, template = ""] = operation.split(" ");
      const path = pathOf(template);
      await judgeAnswer(operation, await fetch(url + path, { method: "DELETE" }));
      const line = (target: string): string =>
        `${method} ${target} HTTP/1.1\r\nhost: demo\r\nconnection: close\r\n`;
      await judgeAnswer(
        operation,
        await rawRequest(port, `${line(path)}x-long: ${"x".repeat(20_000)}\r\n\r\n`),
      );
      if (method === "GET") {
        await judgeAnswer(
          operation,
          await fetch(url + path, { headers: { accept: "text/html" }, redirect: "manual" }),
        );
        const response = await fetch(url + path);
        const tag = response.headers.get("etag");
        await judgeAnswer(operation, response);
        if (tag !== null) {
          await judgeAnswer(operation, await fetch(url + path, { headers: { "if-none-match": tag } }));
        }
        const { unknown, retired } = otherPaths(template);
        for (const other of [...unknown, ...retired]) await judgeAnswer(operation, await fetch(url + other));
        continue;
      }
      const post = (body: string, headers: Record<string, string> = {}, target = path): Promise<Response> =>
        fetch(url + target, { method: "POST", headers: { ...json, ...headers }, body });
      await judgeAnswer(operation, await post(`{"input":"${"x".repeat(1024 * 1024)}"}`));
      await judgeAnswer(operation, await post("{"));
      await judgeAnswer(operation, await post("{}"));
      await judgeAnswer(operation, await post("hello", { "content-type": "text/plain" }));
      await judgeAnswer(operation, await post('{"input":{}}', {}, `${path}-no-more`));
      await judgeAnswer(operation, await post('{"input":{}}', {}, `${path}-${"x".repeat(2_000)}`));
      if (path.endsWith("/batch")) {
        const [tooLong] = otherPaths(template).unknown;
        await judgeAnswer(operation, await post('{"inputs":[]}', {}, tooLong));
        await judgeAnswer(operation, await post('{"inputs":[{},null]}'));
        await judgeAnswer(operation, await post('{"inputs":[],"profileName":"nobody"}'));
        await judgeAnswer(operation, await post("{}\n[]\n", { "content-type": "application/x-ndjson" }));
      }
      for (const other of otherPaths(template).retired) {
        await judgeAnswer(operation, await post('{"input":{}}', {}, other));
      }
      for (const id of ["broken", "stuck", "refused-403", "refused-400", "refused-404", "refused-418"]) {
        await judgeAnswer(operation, await post('{"input":{}}', { "x-request-id": id }));
      }
    }
  });

  it("to incomplete requests", async () => {
    await Promise.all(
      judge.operations().map(async (operation) => {
        const head = `${pathOf(operation)} HTTP/1.1\r\nhost: demo\r\n`;
        await judgeAnswer(operation, await rawRequest(hastyPort, head));
      }),
    );
  });

  it("to requests that arrive while the server closes", async () => {
    const closing = gate();
    const rest = closing.opened.then(() => "\r\n");
    accepted.clear();
    const answers = judge.operations().flatMap((operation) => {
      const head = `${pathOf(operation)} HTTP/1.1\r\nhost: demo\r\n`;
      if (!operation.startsWith("GET")) return [];
      return [{ operation, length: head.length, answer: rawRequest(port, head, rest) }];
    });
    // The server has read everything that was sent.
    const bytesRead = () => [...accepted].reduce((sum, socket) => sum + socket.bytesRead, 0);
    await expect.poll(bytesRead).toBe(answers.reduce((sum, { length }) => sum + length, 0));
    const closed = server.close();
    closing.open();
    for (const { operation, answer } of answers) await judgeAnswer(operation, await answer);
    await closed;
  });

  /** Pages run no user code, so they never fail; a batch has what fails among its results. */
  const unaskable = /^(?:GET \S+ 500|POST \S+\/batch 50[03])$/;

  it("cover every status of the document, except for those that cannot be provoked", () => {
    const unseen = judge
      .operations()
      .flatMap((operation) => judge.statuses(operation).map((status) => `${operation} ${status}`))
      .filter((key) => !seen.has(key) && !unaskable.test(key));
    expect(unseen).toEqual([]);
  });

  it("no longer match the document when a field is removed", () => {
    let lost = 0;
    for (const [key, bodies] of seen) {
      const [method, path, status] = key.split(" ");
      // The OpenAPI package tests that documents are valid.
      if (path === "/openapi.json") continue;
      const validate = judge.answer(`${method} ${path}`, String(status))?.content.get("application/json");
      for (const body of bodies) {
        if (validate === undefined || typeof body !== "object" || body === null) continue;
        for (const name of Object.keys(body)) {
          const { [name]: _lost, ...rest } = body as Record<string, unknown>;
          expect(validate(rest), `${key} without ${name}`).toBe(false);
          lost += 1;
        }
      }
    }
    expect(lost).toBeGreaterThan(100);
  });
});

describe("requests", () => {
  it("the document accepts and refuses the same requests as the server", () => {
    const judged = expectedAnswers.flatMap(({ file, path, method, status }) => {
      const operation = operationOf(method ?? "POST", path);
      if (file === undefined || operation === undefined || file.endsWith(".txt")) return [];
      const validate = judge.requestBody(operation);
      return [{ file, takes: validate(JSON.parse(requestBody(file).toString())), status }];
    });
    expect(judged.filter(({ takes, status }) => takes !== (status === 200))).toEqual([]);
    expect(judged.length).toBeGreaterThan(35);
  });
});

describe("a service that requires a key and accepts no profile", () => {
  const headers = { "x-api-key": "a-key", "content-type": "application/json" };
  const closed = createServer({
    ...serviceOptions({ ...settings, apiKeys: ["a-key"], profileOverride: false }),
    explain: undefined,
    logger: false,
  });
  let base: string;
  let document: OpenApiJudge;
  beforeAll(async () => {
    base = await closed.listen(0, { host: "127.0.0.1" });
    const response = await fetch(`${base}/openapi.json`, { headers });
    document = new OpenApiJudge((await response.json()) as Record<string, unknown>);
  });
  afterAll(() => closed.close());

  it("requires the key exactly where its document says so", async () => {
    const asked = document.operations().filter((operation) => !document.isOpen(operation));
    expect(asked).toContain("POST /decisions/news2");
    expect(asked).not.toContain("GET /health/live");
    for (const operation of document.operations()) {
      const [method = "", path = ""] = operation.split(" ");
      const response = await fetch(base + pathOf(path), { method });
      expect(response.status === 401, operation).toBe(asked.includes(operation));
      if (response.status !== 401) continue;
      const validate = document.answer(operation, "401")?.content.get("application/json");
      expect(validate?.(await response.json()), operation).toBe(true);
    }
  });

  it("refuses a profile as its document says", async () => {
    for (const operation of document.operations().filter((each) => each.startsWith("POST"))) {
      const path = pathOf(operation.replace("POST ", ""));
      const { file } = expectedAnswers.find((entry) => entry.path === path && entry.status === 200) ?? {};
      const own = {
        ...(file === undefined ? { inputs: [] } : { input: JSON.parse(requestBody(file).toString()).input }),
        profile: {},
      };
      const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(own) });
      expect(response.status).toBe(403);
      const answer: unknown = await response.json();
      expect(answer).toMatchObject({ code: "PROFILE_OVERRIDE_FORBIDDEN" });
      expect(document.answer(operation, "403")?.content.get("application/json")?.(answer)).toBe(true);
    }
  });
});

describe("a service that explains its answers", () => {
  const explaining = createServer({ ...serviceOptions(settings), explain: explain(), logger: false });
  let base: string;
  let document: OpenApiJudge;
  beforeAll(async () => {
    base = await explaining.listen(0, { host: "127.0.0.1" });
    const response = await fetch(`${base}/openapi.json`);
    document = new OpenApiJudge((await response.json()) as Record<string, unknown>);
  });
  afterAll(() => explaining.close());

  it.each(
    expectedAnswers.filter(
      ({ file, method, path, contentType, status }) =>
        file !== undefined &&
        method === undefined &&
        contentType === undefined &&
        /^\/decisions\/[\w-]+(\/versions\/[\d.]+)?$/.test(path) &&
        (status === 200 || status === 400),
    ),
  )("explains $file as its document says", async ({ file = "", path, status }) => {
    const operation = `POST ${path}/explain`;
    const response = await fetch(`${base}${path}/explain`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: requestBody(file),
    });
    expect(response.status).toBe(status);
    const reply: unknown = await response.json();
    // Free text is never searched in full, which the reply must say.
    if (status === 200)
      expect(reply).toMatchObject({
        fields: expect.any(Array),
        complete: !Object.hasOwn(Object(reply), "skipped"),
      });
    const key = document.statusFor(operation, status) ?? "";
    const validate = document.answer(operation, key)?.content.get("application/json");
    expect(validate?.(reply), JSON.stringify([reply, validate?.errors])).toBe(true);
  });
});
