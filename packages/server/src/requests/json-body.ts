import { DecernError } from "@decern/core";
import { isUtf8Type, jsonText } from "@decern/core/host";
import { parseJsonBody } from "@decern/core/tools";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Makes the routes of `scope` accept JSON only.
 *
 * @param parse - reads the text of a body. @default as that of a call
 */
export function takeJsonOnly(scope: FastifyInstance, parse: (text: string) => unknown = parseJsonBody): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    function read(request, bytes, done) {
      if (isEncoded(request)) {
        done(new DecernError("UNSUPPORTED_MEDIA_TYPE"));
        return;
      }
      try {
        // An empty body has no `input`, which the route reports.
        done(null, bytes.length === 0 ? undefined : parse(jsonText(bytes)));
      } catch (error) {
        done(error instanceof Error ? error : new DecernError("INTERNAL_ERROR", { cause: error }));
      }
    },
  );
}

/** Whether a body is compressed, in another charset than UTF-8, or coded in some other way. */
export function isEncoded({ headers }: FastifyRequest): boolean {
  // Names of codings are case-insensitive.
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return (encoding !== "" && encoding !== "identity") || !isUtf8Type(headers["content-type"]);
}
