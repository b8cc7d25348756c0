import { readFileSync } from "node:fs";

const folder = new URL("../../requests/", import.meta.url);

/** One entry of `requests/expected.json`. */
export interface ExpectedAnswer {
  /** The body to send; absent on requests without one. */
  readonly file?: string;
  /** @default POST */
  readonly method?: string;
  readonly path: string;
  /** @default application/json */
  readonly contentType?: string;
  readonly status: number;
  /** What the JSON reply must contain. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What the JSON reply must equal. */
  readonly exactly?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the text reply must contain, ignoring case. */
  readonly contains?: string;
}

/** All requests in `requests/`, with the expected replies. */
export const expectedAnswers: readonly ExpectedAnswer[] = JSON.parse(
  readFileSync(new URL("expected.json", folder), "utf8"),
);

/** The bytes of a request body. */
export function requestBody(file: string): Buffer<ArrayBuffer> {
  return Buffer.from(readFileSync(new URL(file, folder)));
}

/** Sends one of them. */
export function send(
  baseUrl: string,
  expected: ExpectedAnswer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { file, method = "POST", path, contentType = "application/json" } = expected;
  return fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...(file === undefined ? {} : { "content-type": contentType }), ...headers },
    ...(file === undefined ? {} : { body: requestBody(file) }),
  });
}
