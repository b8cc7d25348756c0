import { DecernError } from "@decern/core";
import { parseJsonBody } from "@decern/core/host";
import type { FastifyInstance } from "fastify";

/** Makes the routes of `scope` accept JSON only. */
export function takeJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    function read(request, text, done) {
      // Names of codings are case-insensitive.
      const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "";
      if (encoding !== "" && encoding !== "identity") {
        done(new DecernError("UNSUPPORTED_MEDIA_TYPE"));
        return;
      }
      try {
        // An empty body has no `input`, which the route reports.
        done(null, text === "" ? undefined : parseJsonBody(text));
      } catch (error) {
        done(error instanceof Error ? error : new DecernError("INTERNAL_ERROR", { cause: error }));
      }
    },
  );
}
