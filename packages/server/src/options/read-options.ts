import type {
  ExplainFeature,
  Logger,
  MetricsFeature,
  OpenAPIFeature,
  Problem,
  ProfileOverride,
} from "@decern/core";
import { decisionSetRows, overloadKind } from "@decern/core/host";
import { type Checked, type Kind, kinds, option, type RowsOf, readOptions } from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import { authenticateKind, type RecordsAccess } from "../auth/authenticate.js";
import type { DocsPageOptions, PublishDraft } from "../pages/drafts.js";
import { enabledFeature, endpointProblems, trustProxyProblems } from "./option-problems.js";
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

/** Checked options, with what was made of them. */
export interface ServerSettings
  extends Omit<CheckedOptions, "logger" | "docs" | "liveDocs" | "metrics" | "openapi" | "explain"> {
  readonly docs: boolean;
  /** Absent where drafts can only be downloaded. */
  readonly publish: PublishDraft | undefined;
  readonly liveDocs: boolean;
  readonly logger: Logger;
  /** Absent when metrics are off. */
  readonly metrics: MetricsFeature | undefined;
  /** Absent when the OpenAPI document is off. */
  readonly openapi: OpenAPIFeature | undefined;
  /** Absent when nothing is explained. */
  readonly explain: ExplainFeature | undefined;
}

/** What a server is given, checked. */
interface ReadOptions {
  /** For the service, which reports its problems together with these. */
  readonly given: ServerOptions;
  /** Absent where there are problems. */
  readonly checked: CheckedOptions | undefined;
  readonly problems: readonly Problem[];
  /** Each is absent when it is off. */
  readonly metrics: MetricsFeature | undefined;
  readonly openapi: OpenAPIFeature | undefined;
  readonly explain: ExplainFeature | undefined;
}

/** Checks the options, and fills in their defaults. What is wrong with decisions and profiles, the service finds. */
export function readServerOptions(options: ServerOptions): ReadOptions {
  // `readOptions` reports options that are not an object.
  const given: ServerOptions = isJsonObject(options) ? options : { decisions: [] };
  const metrics = enabledFeature("metrics", given.metrics);
  const openapi = enabledFeature("openapi", given.openapi);
  const explain = enabledFeature("explain", given.explain);
  const { options: checked, problems } = readOptions(options, serverRows);
  return {
    given,
    checked,
    problems: [
      ...problems.map(namingSuccessor),
      ...metrics.problems,
      ...openapi.problems,
      ...explain.problems,
      ...endpointProblems(metrics.feature, openapi.feature, {
        docs: given.docs !== false,
        records: servesRecords(given),
      }),
      ...contradictions(given),
      ...trustProxyProblems(given.trustProxy),
    ],
    metrics: metrics.feature,
    openapi: openapi.feature,
    explain: explain.feature,
  };
}

/** Names what replaced an option that many hosts know: docs/adr/0025. */
function namingSuccessor(problem: Problem): Problem {
  if (problem.path !== "/allowProfileOverride") return problem;
  return { ...problem, message: "is unknown: write profileOverride: false to refuse profiles of callers" };
}

function servesRecords({ records }: Pick<ServerOptions, "records">): boolean {
  return records === true || typeof records === "function";
}

/** Options may be anything until they are checked. */
function hasPublish(docs: unknown): boolean {
  return isJsonObject(docs) && docs["publish"] !== undefined;
}

/** Options that are valid on their own but contradict one another. */
function contradictions({
  authenticate,
  docs,
  explain,
  hooks,
  liveDocs,
  log,
  records,
}: ServerOptions): readonly Problem[] {
  const problems: Problem[] = [];
  if (explain !== undefined && hooks?.beforeEvaluate !== undefined) {
    // It may refuse the caller, or change the call: the explanation would be of a different call.
    problems.push({
      path: "/explain",
      message: "contradicts hooks.beforeEvaluate, which explanations do not run",
    });
  }
  if (liveDocs === true && docs === false) problems.push({ path: "/liveDocs", message: "requires docs" });
  if (servesRecords({ records }) && (typeof log !== "object" || typeof authenticate !== "function")) {
    problems.push({ path: "/records", message: "requires log and authenticate" });
  }
  if (hasPublish(docs) && !servesRecords({ records })) {
    problems.push({
      path: "/docs/publish",
      message: "requires records, which says who may hand over drafts",
    });
  }
  return problems;
}
