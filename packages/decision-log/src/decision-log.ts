import type { Decision, DecisionLog, DecisionRecord } from "@decern/core";
import { feature } from "@decern/core/tools";
import { HostRecorder, isAvailable, type RecorderParts } from "./host-recorder.js";
import { checkLogOptions } from "./option-kinds.js";
import { sampleRates, subjectFunctions, subjectsOf } from "./option-values.js";
import type { DecisionLogOptions } from "./options.js";
import { Masks } from "./payload/masks.js";
import { deferred } from "./reading/deferred.js";
import { personsOf, storedQuery } from "./reading/stored-query.js";
import { verify } from "./reading/verify.js";
import { Drafter } from "./record/drafter.js";
import { RecordIds } from "./record/record-ids.js";
import { HeadReports } from "./writing/head-reports.js";
import { LogReports } from "./writing/log-reports.js";
import { RecordWriting } from "./writing/record-writing.js";

/**
 * Keeps a record of every evaluation of the hosts that get it as `log`.
 *
 * @typeParam Decisions - the decisions that are recorded, which types `mask`, `subject` and `sample`
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, missing or of a wrong kind
 *
 * @example
 * ```ts
 * const log = decisionLog<typeof decisions>({
 *   store: ndjsonFiles("records"),
 *   mask: { "loan-approval": ["/input/applicant/name"] },
 * });
 * createServer({ decisions, log });
 * ```
 */
export function decisionLog<Decisions extends readonly Decision[] = readonly Decision[]>(
  options: DecisionLogOptions<Decisions>,
): DecisionLog {
  checkLogOptions(options);
  const { store, durable = "batch", onFull = "refuse", headEveryMs = 60_000 } = options;
  const reports = new LogReports(options.logger);
  const subjects = subjectsOf(options.subject?.key);
  const isDurable = durable === "reply";
  const drops = onFull === "drop";
  const writing = new RecordWriting({
    store,
    isDurable,
    intervalMs: options.intervalMs ?? 200,
    drops,
    maxPending: options.maxPendingBytes ?? 64 * 1024 * 1024,
    writeTimeoutMs: options.writeTimeoutMs ?? 5000,
    reports,
  });
  const drafter = new Drafter({
    build: options.build,
    masks: new Masks(options.mask ?? {}),
    subjects,
    subjectOf: subjectFunctions(options.subject?.of),
    onWithoutPayload: (decisionId, what) => reports.withoutPayload(decisionId, what),
  });
  const parts: RecorderParts = {
    ids: new RecordIds(),
    drafter,
    writing,
    reports,
    samples: sampleRates(options.sample),
    isDurable,
    drops,
  };
  const heads = new HeadReports(writing, reports, headEveryMs);
  let isAttached = false;
  let closed: Promise<void> | undefined;
  return {
    [feature]: "decision-log",
    get isAvailable() {
      return isAvailable(parts);
    },
    attach(host) {
      reports.use(host.logger);
      if (!isAttached && !writing.isClosing) {
        writing.open();
        heads.start();
      }
      isAttached = true;
      return new HostRecorder(parts, host);
    },
    find(query = {}): AsyncIterable<DecisionRecord> {
      return deferred(async () => {
        const stored = storedQuery(query, subjects);
        await writing.flush(true);
        return store.find(stored);
      });
    },
    profile: (hash) => store.profile(hash),
    async erase({ subject }) {
      const persons = personsOf(subject, subjects);
      await writing.flush();
      const records = await store.erase(persons);
      const details = { records, subjects: persons };
      reports.logger.info(details, "A person was erased from the decision log");
      return { records };
    },
    async verify(options) {
      await writing.flush(true);
      return verify(store, options);
    },
    async stats() {
      await writing.flush(true);
      return store.stats();
    },
    flush: () => writing.flush(),
    close() {
      closed ??= closeAll();
      return closed;
    },
  };

  async function closeAll(): Promise<void> {
    await writing.close();
    heads.stop();
    reports.end();
  }
}
