import {
  DecernError,
  type RecordEvent,
  type RecordedEvaluation,
  type Recorder,
  type RecordingHost,
  type RecordStatus,
  type RecordTicket,
} from "@decern/core";
import { isThenable, readable } from "@decern/core/tools";
import type { SampleRates } from "../options.js";
import type { Drafter } from "../record/drafter.js";
import type { RecordIds } from "../record/ids-and-salts.js";
import type { Tell } from "./batch.js";
import type { LogReports } from "./log-reports.js";
import type { RecordWriting } from "./record-writing.js";

export interface RecorderParts {
  readonly ids: RecordIds;
  readonly drafter: Drafter;
  readonly writing: RecordWriting;
  readonly reports: LogReports;
  readonly samples: ReadonlyMap<string, SampleRates | undefined>;
  /** Whether replies are sent even if nothing can be recorded. */
  readonly drops: boolean;
}

export function isAvailable({ writing, drops }: Pick<RecorderParts, "writing" | "drops">): boolean {
  return drops || (!writing.isClosing && !writing.isDown && writing.hasRoom);
}

export class HostRecorder implements Recorder {
  readonly #parts: RecorderParts;
  readonly #tell: Tell;

  constructor(parts: RecorderParts, host: RecordingHost) {
    this.#parts = parts;
    this.#tell = (outcome, count) => notify(host, { outcome, count });
  }

  admit(): boolean {
    if (isAvailable(this.#parts)) return true;
    const { reports, writing } = this.#parts;
    reports.refused(writing.isDown);
    this.#tell("refused", 1);
    return false;
  }

  get hasRoomForMany(): boolean {
    return this.#parts.writing.hasRoomForMany;
  }

  choose(decisionId: string, status: RecordStatus, share = 1): RecordTicket | undefined {
    const { samples, ids, writing, drops } = this.#parts;
    const rate =
      samples.size > 0 && (status === "OK" || status === "NO_MATCH")
        ? (samples.get(decisionId)?.[status] ?? 1)
        : 1;
    if (rate < 1 && Math.random() >= rate) return undefined;
    // Decided here, because the reply is written before the record.
    const isDropped = drops && (writing.isClosing || !writing.hasRoom);
    return { recordId: isDropped ? undefined : ids.next(), sampleRate: share * rate };
  }

  record(ticket: RecordTicket, evaluation: RecordedEvaluation): Promise<void> | undefined {
    const { writing, drafter, reports } = this.#parts;
    if (ticket.recordId === undefined) {
      reports.lost(1);
      this.#tell("lost", 1);
      return undefined;
    }
    if (writing.isClosing)
      return Promise.reject(new DecernError("RECORD_UNAVAILABLE", { detail: "the log is closed" }));
    return writing.take(drafter.draft(ticket.recordId, ticket.sampleRate, evaluation), this.#tell);
  }
}

/** Observers are not awaited, and their errors are only logged. */
function notify({ observers, logger }: RecordingHost, event: RecordEvent): void {
  for (const observer of observers) {
    try {
      const returned: unknown = observer.onRecorded?.(event);
      if (isThenable(returned)) returned.then(undefined, () => {});
    } catch (thrown) {
      logger.error({ err: readable(thrown) }, "An observer failed");
    }
  }
}
