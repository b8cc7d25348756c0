/** Forbids inline code, other origins, form submission and framing. */
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

/** Sent with every reply under `/docs`. */
export const DOCS_HEADERS = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Browsers never send the fragment of a share link. This keeps its path private too.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;
