import type { IncomingMessage } from "node:http";

/** A name or an address in brackets, with or without a port, as RFC 3986 has them. A target without an authority has an empty one. */
const hostPattern = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*|\[[0-9a-f:.]+\])(?::\d*)?$/i;

/** The last host that was found valid. Nearly every request names the same one. */
let lastSound = "";

/**
 * Finds requests that HTTP forbids but Node accepts: without `Host`, with two, with an invalid one, or in an unsupported
 * transfer coding. A proxy and this server could read such a request differently.
 */
export function hasSoundFraming({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  const { host } = headers;
  if (host === undefined) {
    if (httpVersion !== "1.0") return false;
  } else if (!isSoundHost(host) || hasTwoHosts(rawHeaders)) {
    return false;
  }
  const coding = headers["transfer-encoding"];
  return coding === undefined || coding.trim().toLowerCase() === "chunked";
}

function isSoundHost(host: string): boolean {
  if (host === lastSound) return true;
  if (!hostPattern.test(host)) return false;
  lastSound = host;
  return true;
}

/** Node keeps the first one and drops the others. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}
