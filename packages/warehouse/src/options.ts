import type {
  Awaitable,
  Decision,
  DecisionSource,
  EvaluatorOptions,
  Identity,
  OverloadOptions,
  ProfileInput,
  RequestView,
} from "@decern/core";
import { decisionRows, overloadKind } from "@decern/core/host";
import { type Kind, kinds, option, type RowsOf, requiredOption } from "@decern/core/options";
import { type ColumnOf, columnsKind } from "./columns/column-plan.js";
import type { Emit, WarehouseBatch } from "./protocols/protocol.js";

/** What every function of a warehouse needs. */
export interface WarehouseOptions<Input, Output, Profile> extends EvaluatorOptions {
  /** Or [`watchDecisions(…)`](https://github.com/decern/decern/blob/main/docs/live-decisions.md) of `@decern/watch`, with one contract. */
  readonly decision: Decision<Input, Output, Profile> | DecisionSource<Decision<Input, Output, Profile>>;
  /** What the arguments of the SQL function mean, in their order: members of the input. A dotted name is one further inside. */
  readonly columns: readonly ColumnOf<NoInfer<Input>>[];
  /** A fixed profile, checked at start. @default `{}` with the schema's defaults */
  readonly profile?: NoInfer<ProfileInput<Profile>> | undefined;
  /**
   * Returns the profile for one request, and so for all its rows, instead of `profile`. What it throws fails the request with
   * 500, which engines retry; an error with a `statusCode` from 400 to 499 fails the query immediately.
   */
  readonly profileResolver?:
    | ((batch: WarehouseBatch) => Awaitable<NoInfer<ProfileInput<Profile>>>)
    | undefined;
  /** Returns the caller's name, for rules, hooks, observers and records. @default the caller that `authenticate` returned, if any */
  readonly caller?: ((batch: WarehouseBatch) => string | undefined) | undefined;
}

/** How a row's result is written. */
export interface EmitOption {
  /**
   * `text` for a function that returns STRING or VARCHAR, `json` for one that returns JSON (BigQuery) or VARIANT (Snowflake).
   * @default "text" for BigQuery, "json" for Snowflake
   */
  readonly emit?: Emit | undefined;
}

/** Options of what serves a warehouse over HTTP. */
export interface WarehouseHttpOptions<Input, Output, Profile>
  extends WarehouseOptions<Input, Output, Profile>,
    EmitOption {
  readonly engine: "bigquery" | "snowflake";
  /**
   * Decides whether a request is admitted, before its body is read: `true` or an identity admits it, everything else refuses
   * it with 401. `"host"` leaves that to what is in front: the IAM of Cloud Run, an API gateway, or the host's own code.
   */
  readonly authenticate: "host" | ((request: RequestView) => Awaitable<boolean | Identity>);
  /** The largest body, in bytes, also of what a compressed one inflates to. @default 16777216 (16 MiB) */
  readonly bodyLimit?: number | undefined;
  /** Replies 429 immediately when there is too much to do. `maxConcurrent` counts requests. @default off */
  readonly overload?: OverloadOptions | undefined;
}

// Its columns say what an input is.
const { inputMapper: _mapper, ...withoutMapper } = decisionRows;

/** The rows of {@link WarehouseOptions}. */
export const warehouseRows = {
  ...withoutMapper,
  columns: requiredOption(columnsKind),
} satisfies RowsOf<WarehouseOptions<unknown, unknown, unknown>>;

const emit = option(oneOf<Emit>("text", "json"));

/** One of a few words. */
function oneOf<Word extends string>(...words: readonly Word[]): Kind<Word> {
  return (value, path) =>
    words.some((word) => word === value) ? [] : [{ path, message: `must be ${words.join(" or ")}` }];
}

const functionEngine = requiredOption(oneOf("redshift", "snowflake"));

/** The rows of a function without HTTP, by engine. */
export const functionRows = {
  redshift: { ...warehouseRows, engine: functionEngine },
  snowflake: { ...warehouseRows, emit, engine: functionEngine },
} as const;

type Authenticate = WarehouseHttpOptions<unknown, unknown, unknown>["authenticate"];

const authenticate: Kind<Authenticate> = (value, path) =>
  typeof value === "function" || value === "host"
    ? []
    : [{ path, message: 'must be a function, or "host" where something in front authenticates' }];

/** The rows of {@link WarehouseHttpOptions}. */
export const httpRows = {
  ...warehouseRows,
  emit,
  engine: requiredOption(oneOf("bigquery", "snowflake")),
  authenticate: requiredOption(authenticate),
  bodyLimit: option(kinds.wholeNumber),
  overload: option(overloadKind),
} satisfies RowsOf<WarehouseHttpOptions<unknown, unknown, unknown>>;
