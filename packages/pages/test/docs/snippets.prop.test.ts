import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  clientSnippet,
  curlSnippet,
  fetchSnippet,
  powershellSnippet,
  pythonSnippet,
} from "../../src/model/snippets.js";
import { readPowerShell } from "./read-powershell.js";

const url = "http://localhost:3000/decisions/loan";
const call = { url, service: "http://localhost:3000", id: "loan", version: undefined, secured: false };
const writers = { curlSnippet, fetchSnippet, clientSnippet, pythonSnippet, powershellSnippet };
/** A shell cannot carry NUL; JSON escapes it anyway. */
const bodies = fc.record({ input: fc.jsonValue() });
/** Quotes of every kind, characters that shells expand, line ends, bidirectional controls, and half a surrogate pair. */
const nasty = {
  input: {
    [`it's "quoted" \`here\` $(id) %PATH% \\ 'single''`]: "‘curly’ “double” ‛ ‚",
    unicode: "Grüße, 世界 🎉 \u202eevil\u2066 \u200bnot\u2060seen\ufeff",
    lines: "one\r\ntwo\n'@\n\u2028three\u0000",
    __proto__: null,
    half: "\ud800",
    numbers: [-0.5, 1e21, 9007199254740991, 5e-324],
    scalars: [true, false, null, [], {}],
  },
};
const same = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it("is quoted so a shell passes it on unchanged and runs nothing", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const script = `curl() { printf '%s\\0' "$@"; }\n${curlSnippet({ ...call, body })}`;
      const words = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0");
      expect(words[0]).toBe(url);
      expect(JSON.parse(words[words.indexOf("--data-raw") + 1] ?? "")).toEqual(same(body));
    }),
    { numRuns: 25, examples: [[nasty]] },
  );
});

it("is TypeScript that sends the same value", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const code = fetchSnippet({ ...call, body });
      let sent: unknown;
      const fetched = (_url: string, options: { body: string }) => {
        sent = JSON.parse(options.body);
        return { json: () => undefined };
      };
      new Function("fetch", `return (async () => { ${code} })()`)(fetched);
      expect(sent).toEqual(same(body));
    }),
    { examples: [[nasty]] },
  );
});

it("is a here-string for PowerShell, in which nothing has a meaning", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const code = powershellSnippet({ ...call, url: `${url}/it's`, body });
      expect(code).toMatch(/^[\n\x20-\x7e]*$/);
      const [text, target] = readPowerShell(code);
      expect(JSON.parse(text ?? "")).toEqual(same(body));
      expect(target).toBe(`${url}/it's`);
    }),
    { examples: [[nasty]] },
  );
});

it("names the variable of the key if one is needed, never the key itself", () => {
  const secured = { ...call, body: { input: {} }, secured: true };
  expect(curlSnippet(secured)).toContain('--header "x-api-key: $DECERN_API_KEY"');
  expect(fetchSnippet(secured)).toContain("process.env.DECERN_API_KEY");
  expect(clientSnippet(secured)).toContain("process.env.DECERN_API_KEY");
  expect(pythonSnippet(secured)).toContain('os.environ["DECERN_API_KEY"]');
  expect(powershellSnippet(secured)).toContain("$env:DECERN_API_KEY");
  for (const write of Object.values(writers))
    expect(write({ ...secured, secured: false })).not.toContain("x-api-key");
});

it("shows no character that changes the direction of text, or that is not seen", () => {
  for (const write of Object.values(writers)) {
    expect(write({ ...call, body: nasty })).not.toMatch(/\p{Bidi_Control}|\p{Cf}/u);
  }
});

it("names version and profile for the client, of which it takes the profile or its name", () => {
  const body = { input: 1, profile: { a: 1 }, profileName: "strict" };
  const code = clientSnippet({ ...call, version: "1.0.0", body });
  expect(code).toContain('decern["loan"](1, {\n  version: "1.0.0",\n  profile: {');
  expect(code).not.toContain("profileName");
  expect(clientSnippet({ ...call, body: { input: 1, profileName: "strict" } })).toContain(
    'profileName: "strict"',
  );
});
