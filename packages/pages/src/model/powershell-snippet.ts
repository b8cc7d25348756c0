import { pretty } from "./json.js";
import type { SnippetCall } from "./snippets.js";

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
