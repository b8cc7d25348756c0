import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { checkedOptions, kinds, type OptionsOf, option } from "@decern/core/options";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for an HTML element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

interface SwaggerUIAssets {
  readonly script: string;
  readonly scriptHash: string;
  readonly style: string;
}

/** The package's build puts the files here. */
const folder = new URL("../swagger-ui/", import.meta.url);

let assets: SwaggerUIAssets | undefined;

/** Reads Swagger UI once, at the first call, because most processes never need its 2 MB. */
function swaggerUIAssets(): SwaggerUIAssets {
  if (assets === undefined) {
    const script = readFileSync(new URL("swagger-ui-bundle.js", folder), "utf8");
    const style = readFileSync(new URL("swagger-ui.css", folder), "utf8");
    const inlined = inlineScript(script);
    assets = { script: inlined, scriptHash: hashOf(inlined), style: inlineStyle(style) };
  }
  return assets;
}

/**
 * Makes a script safe inside a `script` element. `</script` would end it, and after `<!--` a `<script` would keep it from
 * ending; in strings and regular expressions, the only places where the library has them, `\x3c` means the same as `<`.
 *
 * @see https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
 */
export function inlineScript(script: string): string {
  return withoutSourceMap(script).replaceAll(/<(?=!--|\/script)/gi, "\\x3c");
}

/** Makes a style sheet safe inside a `style` element. */
export function inlineStyle(style: string): string {
  return withoutSourceMap(style).replaceAll(/<(?=\/style)/gi, "\\3c ");
}

/** Removes source maps, which browsers would look for next to the page. Normalizes line ends as HTML parsers do, for the hashes. */
function withoutSourceMap(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/^(\/\/[#@]|\/\*#) sourceMappingURL=.*$/gm, "");
}

const rows = {
  /** Title of the page. @default "API" */
  title: option(kinds.text, "API"),
};

/** Options of {@link generateSwaggerUIHtml}. */
export interface SwaggerUIHtmlOptions extends OptionsOf<typeof rows> {}

/** The base for relative URLs. The host does not exist. */
const base = "http://relative.invalid";

const specUrlKind = kinds.that<string>((value) => {
  const isUrl = typeof value === "string" && value !== "" && URL.canParse(value, base);
  return isUrl && ["http:", "https:"].includes(new URL(value, base).protocol);
}, "must be a URL: relative, http or https");

/** The same on every page, so its hash is too. Everything that differs goes into attributes, which never run as script. */
const start = `
const { url } = document.getElementById("swagger-ui").dataset;
SwaggerUIBundle({
  url,
  dom_id: "#swagger-ui",
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  validatorUrl: null,
});
`;

/**
 * Creates a page that shows an OpenAPI document and sends requests from it. The page is self-contained: it loads only the
 * document, and its Content-Security-Policy allows only its own two scripts.
 *
 * @param specUrl - the URL of the document: `http`, `https`, or relative to the page
 * @returns about 2 MB of HTML; send it as `text/html; charset=utf-8`, compressed if possible
 * @throws DecernError `INVALID_OPTIONS` for any other URL and for unknown options
 *
 * @example
 * ```ts
 * app.get("/swagger", (_req, res) => res.type("html").send(generateSwaggerUIHtml("openapi.json")));
 * ```
 */
export function generateSwaggerUIHtml(specUrl: string, options: SwaggerUIHtmlOptions = {}): string {
  const { title } = checkedOptions("generateSwaggerUIHtml", options, rows, [
    () => specUrlKind(specUrl, "/specUrl"),
  ]);
  const { origin } = new URL(specUrl, base);
  const { script, scriptHash, style } = swaggerUIAssets();
  const policy = [
    "default-src 'none'",
    `script-src ${scriptHash} ${hashOf(start)}`,
    // Swagger UI sets styles on elements as it draws them.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${origin === new URL(base).origin ? "" : ` ${origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="swagger-ui" data-url="${escapeHtml(specUrl)}"></div>
<script>${script}</script>
<script>${start}</script>
</body>
</html>
`;
}

/** The hash of a script, as a Content-Security-Policy has it. */
function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script, "utf8").digest("base64")}'`;
}
