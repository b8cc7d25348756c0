import { setImmediate } from "node:timers/promises";
import type { Decision, DecisionRecord, UnreadableRecord } from "@decern/core";
import { createCatalogue, recordProblem } from "@decern/core/tools";
import { ReportBuilder } from "./gather/report-builder.js";
import { ShadowPairs, shadowedCall } from "./gather/shadows.js";
import { Judge } from "./judge/judge.js";
import type { Judgement } from "./judge/judgement.js";
import { toCallOutcome } from "./judge/judgement.js";
import type { Candidate, ReplayDifference, ReplayOptions, ReplaySource } from "./options.js";
import { checkReplay } from "./options.js";
import type { ReplayReport } from "./report/replay-report.js";
import { CandidateVersions, type ComparedVersion, checkUsedProfiles } from "./revision/candidate-versions.js";
import { Controls, NeededProfile, Planner, RecordedProfiles } from "./revision/planner.js";

/** After so many records, timers and signals get their turn: records that are in memory leave them none. */
const turnRecords = 2048;

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
  checkReplay(records, candidate, options);
  const {
    query,
    baseline,
    allow = 0,
    maxInconclusive = 0,
    label,
    prediction,
    examples = 3,
    signal,
  } = options;
  const catalogue = createCatalogue(candidate.decisions, candidate.profiles ?? {}, candidate.versions);
  checkUsedProfiles(catalogue);
  const versions = new CandidateVersions(catalogue);
  const profiles = new RecordedProfiles(records);
  const controls = new Controls(baseline ?? candidate.decisions);
  const judge = new Judge(new Planner(controls, profiles), baseline !== undefined);
  const report = new ReportBuilder({ examples, label, prediction });
  const pairs = new ShadowPairs(
    shadowedCall,
    (call, shadow) => report.addShadow(call, shadow),
    (shadow) => report.addUnpaired(shadow),
  );
  const judged = async (
    record: DecisionRecord,
    compared: ComparedVersion | undefined,
  ): Promise<Judgement> => {
    for (;;) {
      const judgement = judge.judge(record, compared);
      if (!(judgement instanceof NeededProfile)) return judgement;
      await profiles.load(judgement.hash);
    }
  };
  const onUnreadable = (unreadable: UnreadableRecord): void => {
    report.addUnreadable(unreadable);
    query?.onUnreadable?.(unreadable);
  };
  for await (const record of records.find({ ...query, onUnreadable })) {
    signal?.throwIfAborted();
    // Any source may have been given, and files may hold anything.
    const problem = recordProblem(record);
    if (problem !== undefined) {
      onUnreadable({ at: `after record ${report.records}`, reason: problem });
      continue;
    }
    report.read(record);
    if (record.selectedBy === "shadow") pairs.addShadow(record);
    else {
      pairs.addCall(record);
      const compared = versions.of(record);
      const judgement = await judged(record, compared);
      report.add(record, judgement);
      const standard = compared && versions.defaultBeside(compared);
      if (standard !== undefined) report.addDefault(record, await judged(record, standard));
      if (judgement.verdict !== "unchanged" && options.onDifference !== undefined)
        await options.onDifference(differenceOf(record, judgement, judgement.verdict));
    }
    if (report.records % turnRecords === 0) {
      options.onProgress?.(report.records);
      await setImmediate();
    }
  }
  await pairs.findCalls((from, to) => records.find({ from, to }));
  pairs.end();
  options.onProgress?.(report.records);
  return report.build(allow, maxInconclusive, versions.ids);
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
