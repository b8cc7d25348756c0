import type { Deprecation } from "@decern/core";
import type { HeaderObject } from "../document/document.js";
import type { ServedDecision } from "./serve-plan.js";

/** The headers that responses of deprecated versions have, by component name. */
const deprecationHeaders: Readonly<Record<"Deprecation" | "Sunset" | "Link", HeaderObject>> = {
  Deprecation: {
    description: "When this version was deprecated (RFC 9745), in seconds since 1970.",
    required: true,
    schema: { type: "string", pattern: "^@-?[0-9]+$" },
  },
  Sunset: {
    description: "When this version will be retired (RFC 8594), as an HTTP date.",
    required: true,
    schema: { type: "string" },
  },
  Link: {
    description: "Where to read about the deprecation (RFC 8288).",
    required: true,
    schema: { type: "string" },
  },
};

/** The deprecation headers of one version: component names by header. */
export function headersOf(deprecation: Deprecation | undefined): Readonly<Record<string, string>> {
  if (deprecation === undefined) return {};
  return {
    deprecation: "Deprecation",
    ...(deprecation.sunset === undefined ? {} : { sunset: "Sunset" }),
    ...(deprecation.link === undefined ? {} : { link: "Link" }),
  };
}

/** Those of the deprecation headers that some response has: a linter warns about the others. */
export function usedDeprecationHeaders(
  served: readonly ServedDecision[],
): Readonly<Record<string, HeaderObject>> {
  const used = new Set(
    served
      .flatMap(({ main, versions = [] }) => [main, ...versions])
      .flatMap(({ deprecation }) => Object.values(headersOf(deprecation))),
  );
  return Object.fromEntries(Object.entries(deprecationHeaders).filter(([name]) => used.has(name)));
}

/** What to tell the callers of a deprecated version. */
export function deprecationNotice({ since, sunset, link }: Deprecation): string {
  const end = sunset === undefined ? "" : ` It will be retired on ${dayOf(sunset)}.`;
  return `Deprecated since ${dayOf(since)}.${end}${link === undefined ? "" : ` See ${link}`}`;
}

function dayOf(date: string | Date): string {
  return new Date(date).toISOString().slice(0, 10);
}
