import { pretty } from "./json.js";
import type { SharedCall } from "./share-link.js";

/** A call to show as code. */
export interface SnippetCall {
  /** Where the decision is evaluated. */
  readonly url: string;
  /** Where the service is. */
  readonly service: string;
  readonly id: string;
  /** The version that the call names, if it names one. */
  readonly version: string | undefined;
  readonly body: SharedCall;
  /** Whether the call needs an API key. The key itself is never written. */
  readonly secured: boolean;
}

/** The call as a command for a POSIX shell. */
export function curlSnippet({ url, body, secured }: SnippetCall): string {
  const lines = [`curl ${quote(url)}`, `--header ${quote("content-type: application/json")}`];
  if (secured) lines.push('--header "x-api-key: $DECERN_API_KEY"');
  lines.push(`--data-raw ${quote(pretty(body))}`);
  return lines.join(" \\\n  ");
}

/**
 * A value as TypeScript. JSON is valid there as it is, except for a `__proto__` key.
 *
 * @param indent - of every line but the first
 */
export function asTypeScript(value: unknown, indent: string): string {
  return pretty(value).replaceAll("\n", `\n${indent}`).replaceAll('"__proto__":', '["__proto__"]:');
}

/** The call in JavaScript or TypeScript, without a package. */
export function fetchSnippet({ url, body, secured }: SnippetCall): string {
  const headers = secured
    ? '{ "content-type": "application/json", "x-api-key": process.env.DECERN_API_KEY ?? "" }'
    : '{ "content-type": "application/json" }';
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: ${headers},
  body: JSON.stringify(${asTypeScript(body, "  ")}),
});
const result = await response.json();`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
