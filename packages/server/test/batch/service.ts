import { once } from "node:events";
import { request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { defineDecision } from "@decern/core";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";

export const schemas = {
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ n: z.number(), note: z.string() }),
  profileSchema: z.object({ length: z.number().default(0) }),
};

/** Emits a note of some length. */
export const noted = defineDecision({
  id: "noted",
  version: "1",
  ...schemas,
  rules: [
    {
      id: "only",
      when: () => true,
      emit: ({ n }, { length }) => {
        if (n === 13) throw new Error("unlucky");
        return { n, note: "x".repeat(length) };
      },
    },
  ],
});

/** A server that listens for the time of one test. */
export async function listening(
  options: Omit<ServerOptions<[typeof noted]>, "decisions"> = {},
): Promise<{ readonly server: DecisionServer; readonly port: number }> {
  const server = createServer({ decisions: [noted], logger: false, ...options });
  onTestFinished(() => server.close());
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const address = server.handler.server.address();
  return { server, port: isBound(address) ? address.port : 0 };
}

function isBound(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

/** A request in lines whose two directions a test controls. */
export class LineClient {
  readonly request;
  readonly #port: number;

  constructor(port: number, headers: Readonly<Record<string, string>> = {}) {
    this.#port = port;
    this.request = send({
      port: this.#port,
      host: "127.0.0.1",
      method: "POST",
      path: "/decisions/noted/batch",
      headers: { "content-type": "application/x-ndjson", ...headers },
      agent: false,
    });
    // Tests look at what arrives.
    this.request.on("error", () => {});
    this.request.flushHeaders();
  }

  write(text: string): this {
    this.request.write(text);
    return this;
  }

  /** The lines of the reply, as they arrive. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    const [response] = await once(this.request, "response");
    let rest = "";
    response.setEncoding("utf8");
    for await (const text of response) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  }
}

/** The next line, parsed. */
export async function nextOf(lines: AsyncGenerator<string, void, undefined>): Promise<unknown> {
  const { value } = await lines.next();
  return value === undefined ? undefined : JSON.parse(value);
}

/** What lines are about: `n` of an output, or a code, or the count of the last line. */
export function summary(line: string): unknown {
  const { status, data, code, done, count } = JSON.parse(line);
  return data?.n ?? code ?? (done === true ? `done ${count}` : status);
}

/** A line for each number. */
export const linesOf = (...numbers: readonly number[]): string => numbers.map((n) => `{"n":${n}}\n`).join("");

/** A hook that lets evaluations wait until a test releases them. */
export function gate() {
  const waiting: (() => void)[] = [];
  let began = 0;
  const beforeEvaluate = () =>
    new Promise<void>((resolve) => {
      began += 1;
      waiting.push(resolve);
    });
  const release = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return {
    waiting,
    release,
    options: { hooks: { beforeEvaluate }, hookTimeoutMs: 600_000 },
    began: () => began,
  };
}
