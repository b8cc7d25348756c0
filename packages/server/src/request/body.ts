import { DecernError, type ErrorReply, type ProfileOverride } from "@decern/core";
import {
  createOriginReader,
  errorBody,
  isUtf8Type,
  parseJsonBody,
  type SentProfile,
  type Served,
  tableReply,
} from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Makes the routes of `scope` accept JSON only.
 *
 * @param parse - reads a body. @default as that of a call
 */
export function takeJsonOnly(
  scope: FastifyInstance,
  parse: (bytes: Uint8Array) => unknown = parseJsonBody,
): void {
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
        done(null, bytes.length === 0 ? undefined : parse(bytes));
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

/** The body of a request to evaluate a decision. */
export type CallBody = Readonly<Record<string, unknown>>;

/** Why a caller may not bring, or choose, a profile as this body does. A field is present even if it is null or false. */
export function refuseProfile(
  body: CallBody,
  { offered }: Served,
  profileOverride: ProfileOverride,
): ErrorReply | undefined {
  const brings = Object.hasOwn(body, "profile");
  if (brings && profileOverride === false) return tableReply("PROFILE_OVERRIDE_FORBIDDEN");
  if (!Object.hasOwn(body, "profileName")) return undefined;
  const name = body["profileName"];
  // The same reply whether or not there is a profile of that name.
  if (typeof name !== "string" || !offered.has(name)) return tableReply("PROFILE_NOT_OFFERED");
  return brings && profileOverride === "replace"
    ? tableReply("BAD_REQUEST", "send either 'profile' or 'profileName'")
    : undefined;
}

/** What a body says of a profile. */
export function sentProfile(body: CallBody): SentProfile | undefined {
  const brings = Object.hasOwn(body, "profile");
  const name = Object.hasOwn(body, "profileName") ? body["profileName"] : undefined;
  if (!brings) return name === undefined ? undefined : { name };
  return { profile: body["profile"], name };
}

/** What a body asks for. */
export interface AskedEvaluation {
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
}

/** Why a body is refused. */
interface RefusedBody {
  readonly refusal: { readonly status: number; readonly body: string };
}

const missingInput: RefusedBody = {
  refusal: { status: 400, body: JSON.stringify({ error: tableReply("MISSING_INPUT").message }) },
};

/** Reads the body of a request to evaluate a decision, or says why it is refused. */
export function readEvaluationBody(
  body: unknown,
  served: Served,
  profileOverride: ProfileOverride,
): AskedEvaluation | RefusedBody {
  if (!isJsonObject(body) || !Object.hasOwn(body, "input")) return missingInput;
  const refusal = refuseProfile(body, served, profileOverride);
  if (refusal !== undefined) return { refusal: { status: refusal.status, body: errorBody(refusal) } };
  return { input: body["input"], sent: sentProfile(body) };
}

/** Returns the caller and the request. */
export const originOf = createOriginReader<FastifyRequest>(
  {
    method: ({ method }) => method,
    url: ({ url }) => url,
    headers: ({ headers }) => headers,
    ip: ({ ip }) => ip,
    identity: ({ decernIdentity }) => decernIdentity,
  },
  ({ decernIdentity }) => decernIdentity?.caller,
);
