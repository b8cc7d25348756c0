import type { MetricsFeature, OpenAPIFeature, Problem } from "@decern/core";

/** What the server serves itself, with everything below. */
const taken = ["/docs", "/decisions", "/health"];

/** Finds endpoints of features that are no path, or that something else is served at. */
export function endpointProblems(
  metrics: MetricsFeature | undefined,
  openapi: OpenAPIFeature | undefined,
): Problem[] {
  const endpoints: [option: string, path: string][] = [];
  if (metrics !== undefined) endpoints.push(["/metrics/endpoint", metrics.endpoint]);
  if (openapi !== undefined) endpoints.push(["/openapi/endpoint", openapi.endpoint]);
  if (openapi?.swaggerUI === true) endpoints.push(["/openapi/swaggerEndpoint", openapi.swaggerEndpoint]);
  return endpoints.flatMap(([option, path], index) => {
    const message = problemOf(path, [...taken, ...endpoints.slice(0, index).map(([, earlier]) => earlier)]);
    return message === undefined ? [] : [{ path: option, message }];
  });
}

function problemOf(path: string, others: readonly string[]): string | undefined {
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return "has to be a path, such as /openapi.json";
  const other = others.find((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  return other === undefined ? undefined : `is served already, by ${other}`;
}
