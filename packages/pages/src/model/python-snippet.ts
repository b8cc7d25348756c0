import { isObject, pretty } from "./json.js";
import type { SnippetCall } from "./snippets.js";

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
