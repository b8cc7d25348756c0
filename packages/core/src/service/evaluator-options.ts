import type { Logger } from "../base/faults.js";
import { type feature, kinds } from "../base/kinds.js";
import {
  type Kind,
  type OptionRule,
  type OptionsOf,
  oneAtMost,
  option,
  requiredOption,
} from "../base/options.js";
import { type Clock, systemClock } from "../base/time.js";
import { type Decision, isDecision, whyNoDecision } from "../decision/decision.js";
import type { LogicContent } from "../decision/ports.js";
import { type DecisionSource, sourceOf } from "./generation-source.js";
import type { EvaluationObserver, Hooks } from "./hooks.js";
import type { DecisionRecord, Recorder, RecordStatus, UnreadableRecord } from "./records.js";

const hooks: Kind<Hooks> = kinds.group({
  beforeEvaluate: option(kinds.callback<NonNullable<Hooks["beforeEvaluate"]>>()),
  afterEvaluate: option(kinds.callback<NonNullable<Hooks["afterEvaluate"]>>()),
  onError: option(kinds.callback<NonNullable<Hooks["onError"]>>()),
});

const observer = kinds.either(
  "has no onEvaluated; from metrics(), pass its observer",
  kinds.withMethods<EvaluationObserver>("onEvaluated"),
);

const logger: Kind<Logger | false> = (value, path) => (value === false ? [] : kinds.logger(value, path));

/** What everything that runs evaluations takes. */
export const evaluatorRows = {
  hooks: option(hooks),
  observers: option(kinds.listOf<EvaluationObserver>(observer)),
  /** @default the machine's clock */
  clock: option<Clock>(kinds.clock, systemClock),
  /** Called with every error. With `false`, nothing is logged. @default writes to standard error */
  logger: option(logger),
  /** How long a hook or callback may take, in milliseconds. @default 5000 */
  hookTimeoutMs: option(kinds.wholeNumber),
  /** Keeps a record of every evaluation: what `decisionLog` of `@decern/decision-log` returned. @default none */
  log: option(
    kinds.built<DecisionLog>("decision-log", "must be built with decisionLog() of @decern/decision-log"),
  ),
} as const;

/** What everything that runs evaluations takes. */
export interface EvaluatorOptions extends OptionsOf<typeof evaluatorRows> {}

/** The kind of a decision. */
export const decisionKind: Kind<Decision> = (value, path) =>
  isDecision(value) ? [] : [{ path, message: whyNoDecision(value) }];

const oneDecisionKind: Kind<Decision | DecisionSource> = (value, path) =>
  sourceOf("decision-source", value) === undefined ? decisionKind(value, path) : [];

/** What everything that evaluates one decision for a host takes; each adds its own, and its types. */
export const decisionRows = {
  decision: requiredOption(oneDecisionKind),
  // Its schema judges it, once the decision is known to be one.
  profile: option(kinds.anything<never>()),
  profileResolver: option(kinds.callback<never>()),
  inputMapper: option(kinds.callback<never>()),
  caller: option(kinds.callback<never>()),
  ...evaluatorRows,
} as const;

/** A profile is fixed, or resolved for each request. */
export const oneProfile: OptionRule = oneAtMost("profile", "profileResolver");

/** What hosts need of a log that keeps a record of every evaluation. `decisionLog` of `@decern/decision-log` makes one. */
export interface DecisionLog {
  readonly [feature]: "decision-log";
  /** Whether a call would be evaluated now. */
  readonly isAvailable: boolean;
  /** Starts to record for one host. The store is opened when the first host attaches. It never throws. */
  attach(host: RecordingHost): Recorder;
  /** Streams records, in the order in which they were written unless the query says otherwise. */
  find(query?: RecordQuery): AsyncIterable<DecisionRecord>;
  /** A profile of the host, or one that a batch shared, by its hash; `undefined` when no record used it. */
  profile(hash: string): Promise<unknown>;
  /** What a decision of `logic` was made from, by its `contentHash`; `undefined` when no record has it. */
  content(hash: string): Promise<LogicContent | undefined>;
  /** Resolves once every record taken so far is on disk, or lost and reported. */
  flush(): Promise<void>;
  /** Flushes, then frees the store. Nothing is recorded afterwards. */
  close(): Promise<void>;
}

/** Whose evaluations are recorded. */
export interface RecordingHost {
  readonly logger: Required<Logger>;
  /** Told how many records were written, lost and refused. */
  readonly observers: readonly EvaluationObserver[];
}

/** What to look for: every condition that is given must hold. */
export interface RecordConditions {
  /** Records from this instant on. */
  readonly from?: Date | undefined;
  /** Records before this instant. */
  readonly to?: Date | undefined;
  /** Id of the decision. */
  readonly decision?: string | undefined;
  readonly version?: string | undefined;
  readonly status?: RecordStatus | undefined;
  /** Id of the rule that matched. */
  readonly rule?: string | undefined;
  readonly requestId?: string | undefined;
  readonly recordId?: string | undefined;
  readonly caller?: string | undefined;
}

export interface RecordQuery extends RecordConditions {
  /** The person concerned, as the host names them. */
  readonly subject?: string | undefined;
  /** Newest first, by the time of the record. @default false */
  readonly newestFirst?: boolean | undefined;
  /** Maximum number of records to return. @default all */
  readonly limit?: number | undefined;
  /**
   * Told what was left out because it isn't a record. Files then tell of every line of the time asked for, whatever the other
   * conditions, and such a search takes longer; a database tells of rows that match.
   */
  readonly onUnreadable?: ((record: UnreadableRecord) => void) | undefined;
}
