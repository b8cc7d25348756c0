import { setImmediate } from "node:timers/promises";
import type { Awaitable, Decision, DecisionRecord, UnreadableRecord } from "@decern/core";
import { createGeneration, readRecord } from "@decern/core/tools";
import { ReportBuilder } from "./gather/report-builder.js";
import { ShadowPairs } from "./gather/shadows.js";
import { toCallOutcome } from "./judge/evaluation.js";
import { Judge, type Judgement } from "./judge/judge.js";
import { type CandidateVersion, Revisions } from "./judge/revisions.js";
import {
  type Candidate,
  checkReplay,
  type ReplayDifference,
  type ReplayOptions,
  type ReplaySettings,
  type ReplaySource,
} from "./options.js";
import type { ReplayReport } from "./report/replay-report.js";

/** `onProgress` is called after so many records. */
const progressRecords = 2048;

/** Requests of a host that replays wait no longer than this, in milliseconds. Records that are in memory leave them no turn. */
const sliceMs = 5;

/**
 * Evaluates records again, at their own instant and with their own request id, and compares.
 *
 * @param records - a decision log, or what `recordFiles` of `@decern/decision-log` makes
 * @param candidate - what the records are evaluated with
 * @throws DecernError `INVALID_OPTIONS` with every problem, also for a profile that the records' host had and the candidate lacks
 * @throws the reason of `signal`, and what `records` throws
 */
export async function replay<Decisions extends readonly Decision[]>(
  records: ReplaySource,
  candidate: Candidate<Decisions>,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const settings = checkReplay(records, candidate, options);
  const { query, allow, maxInconclusive, signal, onProgress } = settings;
  const run = new ReplayRun(records, candidate, settings);
  const { report } = run;
  const onUnreadable = (unreadable: UnreadableRecord): void => {
    report.addUnreadable(unreadable);
    query?.onUnreadable?.(unreadable);
  };
  let sliceEnd = performance.now() + sliceMs;
  for await (const record of records.find({ ...query, onUnreadable })) {
    signal?.throwIfAborted();
    // Any source may have been given, and files may hold anything.
    const checked = readRecord(record);
    if (typeof checked === "string") {
      onUnreadable({ at: `after record ${report.records}`, reason: checked });
      continue;
    }
    const waits = run.add(checked);
    if (waits !== undefined) await waits;
    if (report.records % progressRecords === 0) onProgress?.(report.records);
    if (performance.now() >= sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + sliceMs;
    }
  }
  await run.pairShadows();
  onProgress?.(report.records);
  return report.build(allow, maxInconclusive, run.ids);
}

/** One replay: takes records in order, and adds what came of them to a report. */
class ReplayRun {
  readonly report: ReportBuilder;
  readonly #records: ReplaySource;
  readonly #onDifference: ReplayOptions["onDifference"];
  readonly #revisions: Revisions;
  readonly #judge: Judge;
  readonly #pairs: ShadowPairs;

  /** @throws DecernError `INVALID_OPTIONS` if the candidate's decisions cannot be evaluated together */
  constructor(
    records: ReplaySource,
    candidate: Candidate,
    { baseline, label, prediction, examples, onDifference }: ReplaySettings,
  ) {
    const catalogue = createGeneration(candidate.decisions, candidate.profiles ?? {}, candidate.versions);
    this.report = new ReportBuilder({ examples, label, prediction });
    this.#records = records;
    this.#onDifference = onDifference;
    this.#revisions = new Revisions(catalogue, baseline ?? candidate.decisions, records);
    this.#judge = new Judge(this.#revisions, baseline);
    this.#pairs = new ShadowPairs(this.report);
  }

  /** The candidate's ids, in order. */
  get ids(): readonly string[] {
    return this.#revisions.ids;
  }

  /** @returns what the next record waits for: nothing for most */
  add(record: DecisionRecord): Awaitable<void> {
    this.report.read(record);
    if (record.selectedBy === "shadow") return this.#pairs.addShadow(record);
    this.#pairs.addCall(record);
    const { compared, standard } = this.#revisions.comparedWith(record);
    const loading = compared === undefined ? undefined : this.#revisions.prepare(record);
    return loading === undefined
      ? this.#judgeOn(record, compared, standard)
      : loading.then(() => this.#judgeOn(record, compared, standard));
  }

  #judgeOn(
    record: DecisionRecord,
    compared: CandidateVersion | undefined,
    standard: CandidateVersion | undefined,
  ): Awaitable<void> {
    const judgement = this.#judge.judge(record, compared);
    this.report.add(record, judgement);
    if (standard !== undefined) this.report.addDefault(record, this.#judge.judge(record, standard));
    if (judgement.verdict !== "unchanged")
      return this.#onDifference?.(differenceOf(record, judgement, judgement.verdict));
  }

  /** Looks for the calls of the shadows that still lack them. Call it after the last record. */
  async pairShadows(): Promise<void> {
    await this.#pairs.findCalls((from, to) => this.#records.find({ from, to }));
    this.#pairs.end();
  }
}

function differenceOf(
  record: DecisionRecord,
  { before, after, reason }: Judgement,
  verdict: ReplayDifference["verdict"],
): ReplayDifference {
  return {
    record,
    verdict,
    ...(before === undefined ? {} : { before: toCallOutcome(before) }),
    ...(after === undefined ? {} : { after: toCallOutcome(after) }),
    ...(reason === undefined ? {} : { reason }),
  };
}
