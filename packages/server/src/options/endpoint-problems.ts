import type { MetricsFeature, OpenAPIFeature, Problem } from "@decern/core";
import { endpointKind } from "@decern/core/host";

/** Finds endpoints that are not a path, or that are already in use. */
export function endpointProblems(
  metrics: MetricsFeature | undefined,
  openapi: OpenAPIFeature | undefined,
  pages: { readonly docs: boolean; readonly records: boolean },
): Problem[] {
  const page = openapi?.swaggerUI === true ? openapi.swaggerEndpoint : undefined;
  const taken = [
    "/decisions",
    "/health",
    ...(pages.docs ? ["/docs"] : []),
    ...(pages.records ? ["/records"] : []),
  ];
  const ofPage =
    page === undefined ? [] : ["json", "yaml", "static", "assets"].map((name) => `${page}/${name}`);
  const endpoints: [option: string, path: string, others: readonly string[]][] = [];
  if (metrics !== undefined) endpoints.push(["/metrics/endpoint", metrics.endpoint, ofPage]);
  if (openapi !== undefined) endpoints.push(["/openapi/endpoint", openapi.endpoint, ofPage]);
  if (page !== undefined) endpoints.push(["/openapi/swaggerEndpoint", page, []]);
  return endpoints.flatMap(([option, path, others], index) => {
    const problems = endpointKind(path, option);
    if (problems.length > 0) return problems;
    const earlier = endpoints.slice(0, index).map(([, endpoint]) => endpoint);
    const message = problemOf(path, [...taken, ...others, ...earlier]);
    return message === undefined ? [] : [{ path: option, message }];
  });
}

function problemOf(path: string, others: readonly string[]): string | undefined {
  const other = others.find((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  return other === undefined ? undefined : `is already in use by ${other}`;
}
