import type {
  DecisionLog,
  DecisionRecord,
  RecordedEvaluation,
  RecordingHost,
  RecordQuery,
  RecordStatus,
} from "../../packages/core/src/index.js";
import { feature } from "../../packages/core/src/options.js";

/** What a log was given, read at once as a log must. */
export interface Kept extends Omit<RecordedEvaluation, "decision" | "error" | "used" | "result"> {
  readonly recordId: string;
  readonly sampleRate: number;
  readonly decision: { readonly id: string; readonly version: string };
  readonly result: unknown;
  readonly error: string | undefined;
  readonly used: readonly string[];
}

/** A decision log that keeps records in memory, for tests of everything that talks to one. */
export class MemoryLog implements DecisionLog {
  readonly [feature] = "decision-log";
  readonly kept: Kept[] = [];
  readonly hosts: RecordingHost[] = [];
  /** What `find` searches. */
  stored: readonly DecisionRecord[] = [];
  readonly queries: RecordQuery[] = [];
  readonly profiles = new Map<string, unknown>();
  isAvailable = true;
  hasRoomForMany = true;
  flushed = 0;
  /** How many times a recorder was asked for room. */
  admissions = 0;
  choices: (readonly [decisionId: string, status: RecordStatus, share: number | undefined])[] = [];
  /** Whether a record is in the sample. */
  samples: (status: RecordStatus) => boolean = () => true;
  /** What a reply waits for. */
  durable: (() => Promise<void>) | undefined = undefined;

  attach(host: RecordingHost) {
    this.hosts.push(host);
    const hasRoomForMany = (): boolean => this.hasRoomForMany;
    return {
      get hasRoomForMany() {
        return hasRoomForMany();
      },
      admit: () => {
        this.admissions += 1;
        return this.isAvailable;
      },
      choose: (decisionId: string, status: RecordStatus, share?: number) => {
        this.choices.push([decisionId, status, share]);
        if (!this.samples(status)) return undefined;
        return { recordId: `record-${this.choices.length}`, sampleRate: share ?? 1 };
      },
      record: (
        { recordId, sampleRate }: { recordId: string; sampleRate: number },
        evaluation: RecordedEvaluation,
      ) => {
        this.kept.push({ recordId, sampleRate, ...readNow(evaluation) });
        return this.durable?.();
      },
    };
  }

  async *find(query: RecordQuery = {}): AsyncIterable<DecisionRecord> {
    this.queries.push(query);
    const { limit = Number.POSITIVE_INFINITY, newestFirst = false } = query;
    const inOrder = this.stored.toSorted((a, b) => a.recordedAt.localeCompare(b.recordedAt));
    const matching = (newestFirst ? inOrder.reverse() : inOrder).filter((record) => matches(record, query));
    yield* matching.slice(0, limit);
  }

  async profile(hash: string): Promise<unknown> {
    return this.profiles.get(hash);
  }

  async content(): Promise<undefined> {
    return undefined;
  }

  async flush(): Promise<void> {
    this.flushed += 1;
  }

  async close(): Promise<void> {}
}

function readNow(evaluation: RecordedEvaluation) {
  const { decision, result, error, used } = evaluation;
  return {
    decision: { id: decision.id, version: decision.version },
    requestId: evaluation.requestId,
    epochMs: evaluation.epochMs,
    durationSeconds: evaluation.durationSeconds,
    caller: evaluation.caller,
    traceparent: evaluation.traceparent,
    selectedBy: evaluation.selectedBy,
    input: structuredClone(evaluation.input),
    profile: structuredClone(evaluation.profile),
    hasOwnProfile: evaluation.hasOwnProfile,
    result: structuredClone(result),
    error: error?.code,
    used: used.map((one) => `${one.decision.id}@${one.decision.version}`),
  };
}

function matches(record: DecisionRecord, query: RecordQuery): boolean {
  const at = new Date(record.recordedAt);
  const { from, to } = query;
  if ((from !== undefined && at < from) || (to !== undefined && at >= to)) return false;
  const fields = [
    [query.decision, record.decision.id],
    [query.version, record.decision.version],
    [query.status, record.status],
    [query.rule, record.matchedRule],
    [query.requestId, record.requestId],
    [query.recordId, record.recordId],
    [query.caller, record.caller],
    [query.subject, record.subject],
  ] as const;
  return fields.every(([wanted, given]) => wanted === undefined || wanted === given);
}
