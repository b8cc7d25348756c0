import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../src/create-service.js";
import { decisions } from "../../src/decisions/index.js";
import { OpenApiJudge } from "../support/openapi-judge.js";
import { readPrintedRoutes } from "../support/printed-routes.js";
import { expectedAnswers, requestBody, send } from "../support/requests.js";

const settings = {
  port: 0,
  host: "127.0.0.1",
  profilesFile: undefined,
  metrics: true,
  openapi: true,
  cors: true,
  profileOverride: true,
  apiKeys: [],
};

const server = createService(settings);
let url: string;
let judge: OpenApiJudge;

beforeAll(async () => {
  url = String(await server.listen(0, { host: "127.0.0.1" }));
  judge = new OpenApiJudge((await (await fetch(`${url}/openapi.json`)).json()) as Record<string, unknown>);
});
afterAll(() => server.close());

/** The operation of the document that a request belongs to; undefined where the document has none. */
function operationOf(method: string, path: string): string | undefined {
  return judge.operations().find((operation) => {
    const [itsMethod, itsPath = ""] = operation.split(" ");
    const pattern = new RegExp(`^${itsPath.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
    return itsMethod === method && pattern.test(path);
  });
}

describe("routes", () => {
  it("the document has every route that the server has", () => {
    const routes = readPrintedRoutes(server.handler.printRoutes({ commonPrefix: false }));
    expect(routes.length).toBeGreaterThan(8);
    const missing = routes.filter(({ method, path }) => {
      const paths = path.includes(":id") ? decisions.map(({ id }) => path.replace(":id", id)) : [path];
      return paths.some((each) => operationOf(method, each) === undefined);
    });
    expect(missing).toEqual([]);
  });
});

/** Every answer that was seen, by operation and status. */
const seen = new Map<string, unknown[]>();

/** Judges one answer by the document, and keeps it. */
async function judgeAnswer(operation: string, response: Response): Promise<void> {
  const { status } = response;
  const documented = judge.answer(operation, status);
  if (documented === undefined) throw new Error(`The document has no ${status} for ${operation}`);
  const text = await response.text();
  const type = response.headers.get("content-type")?.split(";")[0]?.trim();
  if (text === "") {
    expect(documented.content.size, `${operation} ${status} has no body`).toBe(0);
  } else {
    const validate = documented.content.get(type ?? "");
    if (validate === undefined) throw new Error(`The document has no ${type} for ${operation} ${status}`);
    const value: unknown = type === "application/json" ? JSON.parse(text) : text;
    expect(validate(value) ? [] : validate.errors, `${operation} ${status}: ${text}`).toEqual([]);
    seen.set(`${operation} ${status}`, [...(seen.get(`${operation} ${status}`) ?? []), value]);
    return;
  }
  seen.set(`${operation} ${status}`, []);
}

describe("answers", () => {
  it.each(
    expectedAnswers.map((entry) => [`${entry.path} ${entry.file ?? ""}: ${entry.status}`, entry] as const),
  )("%s", async (_name, entry) => {
    const operation = operationOf(entry.method ?? "POST", entry.path);
    // What is on no path, or on a path that has not this method, is in no document.
    if (operation === undefined) expect([404, 405]).toContain(entry.status);
    else await judgeAnswer(operation, await send(url, entry));
  });

  it("every operation answers what cannot be kept in a file", async () => {
    const json = { "content-type": "application/json" };
    for (const operation of judge.operations()) {
      const [method, path = ""] = operation.split(" ");
      if (method === "GET") {
        const response = await fetch(url + path.replace("{id}", "news2"));
        const tag = response.headers.get("etag");
        await judgeAnswer(operation, response);
        if (tag !== null) {
          const again = await fetch(url + path.replace("{id}", "news2"), {
            headers: { "if-none-match": tag },
          });
          expect(again.status).toBe(304);
          await judgeAnswer(operation, again);
        }
        if (path.includes("{id}"))
          await judgeAnswer(operation, await fetch(url + path.replace("{id}", "none")));
        continue;
      }
      const post = (body: string, headers: Record<string, string> = json): Promise<Response> =>
        fetch(url + path, { method: "POST", headers, body });
      await judgeAnswer(operation, await post(`{"input":"${"x".repeat(1024 * 1024)}"}`));
      await judgeAnswer(operation, await post("{"));
      await judgeAnswer(operation, await post("{}"));
      await judgeAnswer(operation, await post("hello", { "content-type": "text/plain" }));
    }
  });

  it("every status of the document was seen, but for those that nobody can ask for", () => {
    const unasked = judge.operations().flatMap((operation) =>
      judge
        .statuses(operation)
        .filter((status) => ![500, 503].includes(status) && !seen.has(`${operation} ${status}`))
        .map((status) => `${operation} ${status}`),
    );
    expect(unasked).toEqual([]);
  });

  it("the document is not so wide that anything fits: no answer may lose a field", () => {
    let lost = 0;
    for (const [key, values] of seen) {
      const [method, path, status] = key.split(" ");
      const validate = judge.answer(`${method} ${path}`, Number(status))?.content.get("application/json");
      for (const value of values) {
        if (validate === undefined || typeof value !== "object" || value === null) continue;
        for (const name of Object.keys(value)) {
          const { [name]: _lost, ...rest } = value as Record<string, unknown>;
          // A page of somebody else's making: what OpenAPI demands of the document is tested where it is generated.
          if (path === "/openapi.json") continue;
          // The one body that has no code is the one that a contract fixes to the letter.
          if (name === "code") continue;
          expect(validate(rest), `${key} without ${name}`).toBe(false);
          lost += 1;
        }
      }
    }
    expect(lost).toBeGreaterThan(100);
  });
});

describe("requests", () => {
  it("the document takes what the server takes, and refuses what it refuses", () => {
    const judged = expectedAnswers.flatMap(({ file, path, method, body, status }) => {
      const operation = operationOf(method ?? "POST", path);
      if (file === undefined || operation === undefined || file.endsWith(".txt")) return [];
      const validate = judge.requestBody(operation);
      return [{ file, takes: validate(JSON.parse(requestBody(file).toString())), body, status }];
    });
    expect(judged.filter(({ takes, status }) => takes !== (status === 200))).toEqual([]);
    expect(judged.length).toBeGreaterThan(35);
  });
});
