import type { Deprecation } from "./version-policy.js";

/** The headers that announce a deprecation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` (RFC 8288). */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Math.floor(new Date(since).getTime() / 1000)}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
    ...(link === undefined ? {} : { link: `<${link}>; rel="deprecation"` }),
  };
}
