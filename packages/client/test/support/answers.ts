import { evaluate } from "@decern/core";
import { loan } from "./decisions.js";
import type { Answer } from "./service.js";

/** Replies with a status, a body that becomes JSON unless it is text, and headers. */
export function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "x-request-id": "from-service", ...headers }).end(text);
  };
}

/** Evaluates the body's input, as a service does. */
export const evaluated: Answer = ({ text, headers }, response) => {
  const { input, profile } = JSON.parse(text);
  const result = evaluate(loan, input, profile);
  const status = result.status.startsWith("INVALID") ? 400 : 200;
  const requestId = headers["x-request-id"] ?? "from-service";
  response.writeHead(status, { "x-request-id": requestId }).end(JSON.stringify(result));
};

/** Cuts the connection. */
export const cut: Answer = (_, response) => response.destroy();

/** Never replies. */
export const silent: Answer = () => {};

/** The reply of a service that is too busy. */
export const overloaded = (headers: Readonly<Record<string, string>> = {}): Answer =>
  reply(503, { error: "Server is overloaded", code: "OVERLOADED" }, headers);

/** Evaluates several inputs, sent as JSON or as NDJSON. An amount of 13 is one that a rule throws for. */
export const batched: Answer = ({ text, headers }, response) => {
  const lines = headers["content-type"] === "application/x-ndjson";
  const { inputs, profile } = lines
    ? {
        inputs: text
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
        profile: undefined,
      }
    : JSON.parse(text);
  const results: unknown[] = inputs.map((input: { readonly amount: number; readonly score: number }) =>
    input.amount === 13
      ? { error: "Evaluation failed", code: "EVALUATION_FAILED" }
      : evaluate(loan, input, profile),
  );
  const end = { done: true, count: results.length };
  response.end(
    lines
      ? [...results, end].map((line) => `${JSON.stringify(line)}\n`).join("")
      : JSON.stringify({ results }),
  );
};
