import { createHash } from "node:crypto";

/** Scripts that stand in a page. Theirs are allowed by digest. */
const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Adds a policy to a page: nothing from other origins, and no script but the page's own. */
export function withPolicy(html: string): string {
  const digests = [...html.matchAll(inlineScript)].map(([, script = ""]) => digestOf(script));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${digests.join(" ")}`.trim(),
    // The colours of code stand in the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(
    /<meta charset="utf-8">/,
    (charset) => `${charset}\n    <meta http-equiv="content-security-policy" content="${policy}">`,
  );
}

/** As a policy names a script. */
export function digestOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
