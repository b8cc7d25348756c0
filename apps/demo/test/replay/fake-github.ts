import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Listening, listening } from "../support/listening.js";

/** A comment as GitHub keeps it. */
export interface Comment {
  readonly id: number;
  readonly user: { readonly type: string };
  body: string;
}

/** The part of GitHub's API that comments on pull requests, as its reference describes it. */
export class FakeGitHub {
  readonly comments: Comment[] = [];
  /** Such as `GET /repos/…`, in order. */
  readonly requests: string[] = [];
  /** As for a pull request of a fork. */
  isReadOnly = false;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<Listening> {
    return await listening(this.#server);
  }

  add(body: string, type: "User" | "Bot"): void {
    this.comments.push({ id: this.comments.length + 1, user: { type }, body });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://github.invalid");
    this.requests.push(`${request.method} ${pathname}`);
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== "Bearer a-token") return reply(401, { message: "Bad credentials" });
    const list = "/repos/decern/loans/issues/17/comments";
    if (request.method === "GET" && pathname === list) {
      const size = Number(searchParams.get("per_page") ?? 30);
      const start = (Number(searchParams.get("page") ?? 1) - 1) * size;
      return reply(200, this.comments.slice(start, start + size));
    }
    if (this.isReadOnly) return reply(403, { message: "Resource not accessible by integration" });
    const { body } = JSON.parse(await text(request));
    if (body.length > 65_536)
      return reply(422, { message: "Body is too long (maximum is 65536 characters)" });
    if (request.method === "POST" && pathname === list) {
      this.add(body, "Bot");
      return reply(201, this.comments.at(-1));
    }
    const id = /^\/repos\/decern\/loans\/issues\/comments\/(\d+)$/.exec(pathname)?.[1];
    const comment = this.comments.find((one) => String(one.id) === id);
    if (request.method !== "PATCH" || comment === undefined) return reply(404, { message: "Not Found" });
    comment.body = body;
    reply(200, comment);
  }
}

async function text(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of request.setEncoding("utf8")) all += chunk;
  return all;
}
