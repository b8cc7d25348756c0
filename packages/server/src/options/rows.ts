import type { ExplainFeature, Logger, MetricsFeature, OpenAPIFeature, ProfileOverride } from "@decern/core";
import { decisionSetRows, overloadKind } from "@decern/core/host";
import { type Checked, type Kind, kinds, option, type RowsOf } from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import { authenticateKind, type RecordsAccess } from "../auth/authenticate.js";
import type { DocsPageOptions, PublishDraft } from "../pages/drafts.js";
import type { DisabledFeature, ServerOptions } from "./options.js";

const flagOrCallback = kinds.that<boolean | RecordsAccess>(
  (value) => typeof value === "boolean" || typeof value === "function",
  "must be true, false or a function",
);

const docsPageKind = kinds.group({
  publish: option(kinds.callback<PublishDraft>()),
} satisfies RowsOf<DocsPageOptions>);

const docsKind: Kind<boolean | DocsPageOptions> = (value, path) => {
  if (typeof value === "boolean") return [];
  return isJsonObject(value)
    ? docsPageKind(value, path)
    : [{ path, message: "must be true, false or an object" }];
};

const loggerOrFlag: Kind<Logger | boolean> = (value, path) =>
  typeof value === "boolean" ? [] : kinds.logger(value, path);

/** Every option of `createServer`: its check, and its default if it has one. Its TSDoc is in `ServerOptions`, which is generic. */
export const serverRows = {
  ...decisionSetRows,
  // `createService` checks what is inside.
  callerProfiles: option(kinds.object<Readonly<Record<string, readonly string[] | undefined>>>()),
  profileOverride: option<ProfileOverride>(kinds.oneOf("replace", "merge", false), "replace"),
  cors: option(kinds.flag, true),
  observers: option(decisionSetRows.observers.kind, []),
  // `enabledFeature` checks these.
  explain: option(kinds.anything<ExplainFeature>()),
  metrics: option(kinds.anything<MetricsFeature | DisabledFeature>()),
  openapi: option(kinds.anything<OpenAPIFeature | DisabledFeature>()),
  docs: option<boolean | DocsPageOptions>(docsKind, true),
  // Its default depends on `hooks` and `log`.
  liveDocs: option(kinds.flag),
  bodyLimit: option(kinds.wholeNumber, 1_048_576),
  maxBatch: option(kinds.wholeNumber, 1000),
  hookTimeoutMs: option(kinds.wholeNumber, 5000),
  requestTimeoutMs: option(kinds.wholeNumber, 10_000),
  writeTimeoutMs: option(kinds.wholeNumber, 10_000),
  keepAliveTimeoutMs: option(kinds.wholeNumber, 65_000),
  maxConnectionAgeMs: option(kinds.wholeNumber, 300_000),
  closeTimeoutMs: option(kinds.wholeNumber, 10_000),
  records: option<boolean | RecordsAccess>(flagOrCallback, false),
  logger: option<Logger | boolean>(loggerOrFlag, true),
  // `trustProxyProblems` checks it.
  trustProxy: option(kinds.anything<NonNullable<ServerOptions["trustProxy"]>>(), false),
  authenticate: option(authenticateKind),
  publicMetrics: option(kinds.flag, false),
  overload: option(overloadKind),
} satisfies RowsOf<ServerOptions>;

/** What was given, with defaults. */
export type CheckedOptions = Checked<typeof serverRows>;
