/** Nothing inline, nothing from elsewhere, nothing that sends a form or frames the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join("; ");

/** What every reply under `/docs` carries. */
export const DOCS_HEADERS = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // A share link's fragment never leaves the browser anyway; the path is nobody's business either.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;
