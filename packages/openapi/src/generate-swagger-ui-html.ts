import { createHash } from "node:crypto";
import { checkOptions, DecernError } from "@decern/core";
import { escapeHtml } from "./escape-html.js";
import { swaggerUIAssets } from "./swagger-ui-assets.js";

/** What {@link generateSwaggerUIHtml} may be told. */
export interface SwaggerUIHtmlOptions {
  /** Title of the page. @default "API" */
  readonly title?: string | undefined;
}

/** It never changes, whatever the page shows: what differs is in attributes, which no script runs. */
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
 * Makes a page that shows an OpenAPI document and sends requests from it. The page holds all that it needs: it loads
 * nothing but the document, and its Content-Security-Policy allows its own two scripts and no other.
 *
 * @param specUrl - where the document is: an `http` or `https` URL, or one relative to the page
 * @returns HTML, about 2 MB; to be sent as `text/html; charset=utf-8`, compressed where possible
 * @throws DecernError `INVALID_OPTIONS` for a URL of another kind and for unknown options
 *
 * @example
 * ```ts
 * app.get("/swagger", (_req, res) => res.type("html").send(generateSwaggerUIHtml("openapi.json")));
 * ```
 */
export function generateSwaggerUIHtml(specUrl: string, options: SwaggerUIHtmlOptions = {}): string {
  checkOptions("generateSwaggerUIHtml", options, { known: ["title"] });
  const origin = originOf(specUrl);
  const { script, style } = swaggerUIAssets();
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} ${hashOf(start)}`,
    // Swagger UI sets styles on elements as it draws them.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${origin === undefined ? "" : ` ${origin}`}`,
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
<title>${escapeHtml(options.title ?? "API")}</title>
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

const hashes = new Map<string, string>();

function hashOf(script: string): string {
  const known = hashes.get(script);
  if (known !== undefined) return known;
  const hash = `'sha256-${createHash("sha256").update(script, "utf8").digest("base64")}'`;
  hashes.set(script, hash);
  return hash;
}

/** The origin of an absolute URL, or nothing for a relative one. */
function originOf(specUrl: unknown): string | undefined {
  const base = "http://relative.invalid";
  const url =
    typeof specUrl === "string" && specUrl !== "" && URL.canParse(specUrl, base)
      ? new URL(specUrl, base)
      : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new DecernError("INVALID_OPTIONS", {
      detail: "generateSwaggerUIHtml",
      problems: [{ path: "/specUrl", message: "has to be a URL: relative, http or https" }],
    });
  }
  return url.origin === base ? undefined : url.origin;
}
