import type { RecordsPage, RecordsSearchRequest } from "../model/data.js";
import { load } from "./api.js";

/** Spans of days that people compare or count. */
export const spans = [7, 30, 90] as const;

/** Which records of a decision are read. */
interface RecordsSpan {
  readonly decision: string;
  /** Counted back from now. */
  readonly days: number;
  /** Whether inputs and results are read, too. */
  readonly payloads: boolean;
}

/** More would take too long, and the service searches for others meanwhile. */
const mostRead = 20_000;

/**
 * The records of a decision, newest first, a page at a time, until there are no more or {@link mostRead} were read.
 *
 * @throws ApiError when the service refuses
 */
export async function* recordPages(
  { decision, days, payloads }: RecordsSpan,
  key: string,
  signal: AbortSignal,
): AsyncGenerator<RecordsPage> {
  const now = Date.now();
  const [from, to] = [now - days * 86_400_000, now].map((ms) => new Date(ms).toISOString());
  let before: string | undefined;
  for (let read = 0; read < mostRead; ) {
    const body: RecordsSearchRequest = { decision, from, to, payloads, limit: 200, before, unreadable: true };
    const page = await load<RecordsPage>("records/search", key, body, signal);
    yield page;
    if (page.next === null) return;
    before = page.next;
    read += page.records.length;
  }
}
