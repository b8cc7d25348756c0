import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { curlSnippet, fetchSnippet } from "../../page/src/model/snippets.js";

const url = "http://localhost:3000/decisions/loan";
/** A shell cannot carry NUL; JSON escapes it anyway. */
const bodies = fc.record({ input: fc.jsonValue() });

it("is quoted so a shell passes it on unchanged and runs nothing", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const script = `curl() { printf '%s\\0' "$@"; }\n${curlSnippet({ url, body, secured: false })}`;
      const words = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0");
      expect(words[0]).toBe(url);
      expect(JSON.parse(words[words.indexOf("--data-raw") + 1] ?? "")).toEqual(
        JSON.parse(JSON.stringify(body)),
      );
    }),
    { numRuns: 25 },
  );
});

it("is TypeScript that sends the same value", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const code = fetchSnippet({ url, body, secured: false });
      let sent: unknown;
      const fetched = (_url: string, options: { body: string }) => {
        sent = JSON.parse(options.body);
        return { json: () => undefined };
      };
      new Function("fetch", `return (async () => { ${code} })()`)(fetched);
      expect(sent).toEqual(JSON.parse(JSON.stringify(body)));
    }),
  );
});

it("names the variable of the key if one is needed, never the key itself", () => {
  const call = { url, body: { input: {} }, secured: true };
  expect(curlSnippet(call)).toContain('--header "x-api-key: $DECERN_API_KEY"');
  expect(fetchSnippet(call)).toContain("process.env.DECERN_API_KEY");
  expect(curlSnippet({ ...call, secured: false })).not.toContain("x-api-key");
});

it("shows no character that changes the direction of text", () => {
  const call = { url, body: { input: { name: "a\u202eevil\u2066" } }, secured: false };
  expect(curlSnippet(call) + fetchSnippet(call)).not.toMatch(/\p{Bidi_Control}/u);
});
