import { isObject, listOf, own, pretty, textOf } from "../json/values.js";
import { type SharedCall, sentCall } from "./call.js";
import { metaOf, type Reply, statusOf } from "./reply.js";

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

/** The package that snippets in TypeScript import. */
const typedClient = "@decern/client";

/** The call in TypeScript, with the typed client. */
export function clientSnippet({ service, id, version, body, secured }: SnippetCall): string {
  const { input, profile, profileName } = body;
  const options = [
    ...(version === undefined ? [] : [`  version: ${JSON.stringify(version)},`]),
    ...(profile === undefined ? [] : [`  profile: ${asTypeScript(profile, "  ")},`]),
    // The client takes one of the two.
    ...(profileName === undefined || profile !== undefined
      ? []
      : [`  profileName: ${JSON.stringify(profileName)},`]),
  ];
  const key = secured ? `\n  headers: { "x-api-key": process.env.DECERN_API_KEY ?? "" },` : "";
  const more = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `import { createClient } from "${typedClient}";
import type { decisions } from "./decisions.js"; // the list that the service gives to createServer

const decern = createClient<typeof decisions>({
  url: ${JSON.stringify(service)},${key}
});
const result = await decern[${JSON.stringify(id)}](${asTypeScript(input, "")}${more});`;
}

/**
 * The call for Windows PowerShell 5.1 and PowerShell 7. The body is a here-string, in which nothing has a meaning but a line
 * that starts with `'@`; JSON has no such line.
 */
export function powershellSnippet({ url, body, secured }: SnippetCall): string {
  const key = secured ? " `\n  -Headers @{ 'x-api-key' = $env:DECERN_API_KEY }" : "";
  return `$body = @'
${ascii(pretty(body))}
'@
$result = Invoke-RestMethod '${url.replaceAll("'", "''")}' \`
  -Method Post -ContentType 'application/json' -Body $body${key}`;
}

/** Windows PowerShell sends texts as Latin-1, and takes curly quotes for quotes. In JSON, all of them can be escapes. */
function ascii(json: string): string {
  return json.replaceAll(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The call in Python 3, without a package. */
export function pythonSnippet({ url, body, secured }: SnippetCall): string {
  const key = secured ? `, "x-api-key": os.environ["DECERN_API_KEY"]` : "";
  return `import json
${secured ? "import os\n" : ""}import urllib.error
import urllib.request

request = urllib.request.Request(
    ${pretty(url)},
    headers={"content-type": "application/json"${key}},
    data=json.dumps(${asPython(body, "    ")}).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        result = json.load(response)
except urllib.error.HTTPError as error:
    result = json.load(error)  # says what is wrong with the call`;
}

/** A JSON value as Python. Texts are the same in both. */
function asPython(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  const block = (open: string, items: readonly string[], close: string) =>
    items.length === 0
      ? `${open}${close}`
      : `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value))
    return block(
      "[",
      value.map((item) => asPython(item, inner)),
      "]",
    );
  if (!isObject(value)) return pretty(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return block(
    "{",
    entries.map(([name, item]) => `${pretty(name)}: ${asPython(item, inner)}`),
    "}",
  );
}

interface TestSnippetOptions {
  /** Where the service is. */
  readonly service: string;
  readonly id: string;
  /** The version that the test names, so that it continues to test this one. */
  readonly version: string;
  /** Whether the call needs an API key. The key itself is never written. */
  readonly secured: boolean;
}

/** What the client returns; for everything else, it throws. */
const results: ReadonlySet<string> = new Set(["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"]);

/** Whether a reply is a result that a test can expect. */
export function isTestable(reply: Reply): boolean {
  return results.has(statusOf(reply));
}

/** A call and its result as a test for Vitest, in TypeScript. It asks the service, so it needs no source of the decision. */
export function testSnippet(reply: Reply, { service, id, version, secured }: TestSnippetOptions): string {
  const { input, profile, profileName } = sentCall(reply);
  const ended = textOf(metaOf(reply), "matchedRule") ?? statusOf(reply);
  const key = secured ? `, headers: { "x-api-key": process.env["DECERN_API_KEY"] ?? "" }` : "";
  const options = [
    `version: ${pretty(version)}`,
    ...(profile === undefined ? [] : [`profile: ${asTypeScript(profile, "    ")}`]),
    // The client takes one of the two.
    ...(profileName === undefined || profile !== undefined ? [] : [`profileName: ${pretty(profileName)}`]),
  ];
  return `import { createClient } from "${typedClient}";
import { expect, test } from "vitest";

const decern = createClient({ url: ${pretty(service)}${key} });

test(${pretty(`${id} ${version}: ${ended}`)}, async () => {
  const result = await decern[${pretty(id)}]?.(${asTypeScript(input ?? null, "  ")}, {
${options.map((one) => `    ${one},\n`).join("")}  });
  expect(result).toMatchObject(${asTypeScript(expectedOf(reply), "  ")});
});
`;
}

/** What says how a call ended: not the texts, which may be reworded, and not what differs from call to call. */
function expectedOf(reply: Reply): object {
  const { body } = reply;
  const data = isObject(body) ? own(body, "data") : undefined;
  const matchedRule = textOf(metaOf(reply), "matchedRule");
  const errors = isObject(body) ? listOf(body, "errors") : undefined;
  const paths = errors?.filter(isObject).map((error) => ({ path: textOf(error, "path") }));
  return {
    status: statusOf(reply),
    ...(data === undefined ? {} : { data }),
    ...(paths === undefined ? {} : { errors: paths }),
    ...(matchedRule === undefined ? {} : { meta: { matchedRule } }),
  };
}
