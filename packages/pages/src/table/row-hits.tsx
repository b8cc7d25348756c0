import type { HitPolicy } from "@decern/table/browser";
import { useEffect, useState } from "preact/hooks";
import type { DocsDecision, RecordSummary } from "../model/data.js";
import { evaluatedRungs } from "../model/reply.js";
import { QuietButton } from "../parts/controls.js";
import { failureText } from "../service/api.js";
import { recordPages, spans } from "../service/records.js";

/** How often rows decided, as far as records tell. */
export interface RowHits {
  readonly days: number;
  /** By id of the row. */
  readonly byRow: ReadonlyMap<string, number>;
  /** Records of this table that were counted. */
  readonly counted: number;
  /** Records of other tables of the decision. */
  readonly others: number;
  /** Whether older records of these days were not read. */
  readonly isPart: boolean;
  /** Whether something in the log could not be read. */
  readonly isDamaged: boolean;
}

interface HitCounterProps {
  readonly decision: DocsDecision;
  readonly policy: HitPolicy;
  /** Ids of the rows. */
  readonly rows: readonly string[];
  readonly apiKey: string;
  readonly hits: RowHits | undefined;
  readonly onHits: (hits: RowHits | undefined) => void;
}

/** Counts how often each row decided, when somebody asks: reading many records takes a while. */
export function HitCounter({ decision, policy, rows, apiKey, hits, onHits }: HitCounterProps) {
  const [days, setDays] = useState<number>(spans[1]);
  const [read, setRead] = useState(0);
  const { isRunning, problem, start, stop } = useReading(async (stopping) => {
    setRead(0);
    onHits(undefined);
    onHits(await countHits(decision, { policy, days, apiKey, onRead: setRead, stopping }));
  });
  return (
    <div class="hit-counter">
      <SpanSelect label="Hits in the last" days={days} onChange={setDays} />
      <QuietButton onClick={isRunning ? stop : start}>{isRunning ? "Stop" : "Count hits"}</QuietButton>
      <span class="findings-status" role="status">
        {isRunning
          ? `${read.toLocaleString("en")} records read…`
          : (problem ?? (hits === undefined ? "" : hitsText(hits, rows)))}
      </span>
    </div>
  );
}

function hitsText(
  { byRow, counted, others, isPart, isDamaged, days }: RowHits,
  rows: readonly string[],
): string {
  const without = rows.filter((id) => !byRow.has(id)).length;
  const number = (count: number, one: string, many: string) =>
    `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
  return [
    `${number(counted, "record", "records")} of the last ${days} days.`,
    ...(counted === 0 ? [] : [`${number(without, "row was", "rows were")} not met.`]),
    ...(others === 0 ? [] : [`${number(others, "record is", "records are")} of a different table.`]),
    ...(isPart ? ["Older records were not read."] : []),
    ...(isDamaged ? ["Part of the log could not be read."] : []),
  ].join(" ");
}

interface CountOptions {
  readonly policy: HitPolicy;
  readonly days: number;
  readonly apiKey: string;
  readonly onRead: (read: number) => void;
  readonly stopping: AbortSignal;
}

async function countHits(
  { id, contentHash }: DocsDecision,
  { policy, days, apiKey, onRead, stopping }: CountOptions,
): Promise<RowHits> {
  const byRow = new Map<string, number>();
  let [counted, others, read, isPart, isDamaged] = [0, 0, 0, true, false];
  // A record names one row; where several decide, the result names them.
  const payloads = policy !== "U" && policy !== "P" && policy !== "F";
  try {
    for await (const { records, next, unreadable } of recordPages(
      { decision: id, days, payloads },
      apiKey,
      stopping,
    )) {
      for (const record of records) {
        if (record.shadowOf !== undefined || (record.status !== "OK" && record.status !== "NO_MATCH"))
          continue;
        if (record.contentHash === contentHash) counted += 1;
        else others += 1;
        if (record.contentHash !== contentHash) continue;
        for (const rule of rulesIn(record)) byRow.set(rule, (byRow.get(rule) ?? 0) + 1);
      }
      read += records.length;
      onRead(read);
      isPart = next !== null;
      isDamaged ||= unreadable === true;
    }
  } catch (error) {
    // What was counted until somebody stopped it is shown.
    if (!stopping.aborted) throw error;
  }
  return { days, byRow, counted, others, isPart, isDamaged };
}

/** The rows that decided. */
function rulesIn({ matchedRule, payload }: RecordSummary): ReadonlySet<string> {
  const hits = evaluatedRungs(payload?.result).flatMap(({ id, state }) => (state === "hit" ? [id] : []));
  return new Set(hits.length > 0 || matchedRule === undefined ? hits : [matchedRule]);
}

/** Reads records until somebody stops it, or leaves what shows them. */
export function useReading(read: (stopping: AbortSignal) => Promise<void>) {
  const [running, setRunning] = useState<AbortController>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => () => running?.abort(), [running]);
  const run = async () => {
    const stopping = new AbortController();
    setRunning(stopping);
    setProblem(undefined);
    try {
      await read(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) setProblem(failureText(error));
    }
    setRunning(undefined);
  };
  return {
    isRunning: running !== undefined,
    problem,
    start: () => void run(),
    stop: () => running?.abort(),
  };
}

interface SpanSelectProps {
  readonly label: string;
  readonly days: number;
  readonly onChange: (days: number) => void;
}

/** A choice among {@link spans}. */
export function SpanSelect({ label, days, onChange }: SpanSelectProps) {
  return (
    <label>
      {label}{" "}
      <select value={days} onChange={({ currentTarget: { value } }) => onChange(Number(value))}>
        {spans.map((span) => (
          <option key={span} value={span}>
            {span} days
          </option>
        ))}
      </select>
    </label>
  );
}
