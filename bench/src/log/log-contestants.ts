import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createEvaluator, withProfile } from "@decern/core";
import { type DecisionLog, type DecisionLogOptions, decisionLog, ndjsonFiles } from "@decern/decision-log";
import { readResult } from "../contestants/read-result.js";
import type { CpuEntry } from "../measure/cpu-rounds.js";
import { sink } from "../measure/rounds.js";
import { loanDecision } from "../workload/decisions.js";
import { theProfile } from "../workload/loan-approval.js";
import type { Sample } from "../workload/loan-rings.js";
import { quietLogger } from "./quiet-logger.js";

/** Calls that one turn of the event loop brings, as 64 busy connections do. */
const callsATurn = 64;

/** An evaluator with a log or without one, and what a round with it costs. */
export interface LogContestant extends CpuEntry {
  /** Fails unless every answer is right and on record. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** What a log is asked to do, apart from where its records go. */
type LogSettings = Omit<DecisionLogOptions, "store">;

/**
 * @param folder - where each log gets a folder of its own
 * @param evaluations - in a round
 */
export function logContestants(
  folder: string,
  samples: readonly Sample[],
  evaluations: number,
): readonly LogContestant[] {
  const create = (name: string, settings?: LogSettings): LogContestant => {
    const store = ndjsonFiles(join(folder, name.replaceAll(/\W+/g, "-")));
    const log =
      settings === undefined
        ? undefined
        : decisionLog({ store, build: "bench", logger: quietLogger, ...settings });
    return contestant(name, log, samples, evaluations);
  };
  const mask = { "loan-approval": ["/input/country"] };
  const of = { "loan-approval": () => "the applicant" };
  return [
    create(withoutLog),
    create(withBatchLog, { durable: "batch" }),
    create(withMask, {
      mask,
      subject: { key: "the key of the benchmark", of },
    }),
    create(withDurableReplies, { durable: "reply" }),
  ];
}

export const withoutLog = "Decern evaluator, no log";
export const withMask = "log, batch, with a mask and a subject";
export const withDurableReplies = "log, every reply durable";
export const withBatchLog = "log, batch";

function contestant(
  name: string,
  log: DecisionLog | undefined,
  samples: readonly Sample[],
  evaluations: number,
): LogContestant {
  const evaluator = createEvaluator({ log });
  const decision = withProfile(loanDecision(), theProfile);
  const evaluateAt = (index: number) =>
    evaluator.evaluate(decision, { input: samples[index % samples.length]?.input });
  return {
    name,
    async run() {
      for (let done = 0; done < evaluations; done += callsATurn) {
        const replies = Array.from({ length: callsATurn }, (_, index) => evaluateAt(done + index));
        sink.value = await Promise.all(replies);
        await turn();
      }
      await log?.flush();
      return Math.ceil(evaluations / callsATurn) * callsATurn;
    },
    async check() {
      for (const [index, { expected }] of samples.entries()) {
        const answer = readResult(await evaluateAt(index));
        assert.equal(answer.status, expected.status, name);
        if (expected.status === "OK") assert.equal(answer.rule, expected.rule, name);
      }
      if (log === undefined) return;
      await log.flush();
      assert.equal((await log.stats()).records, samples.length, `${name} has a record of each call`);
      const { ok, problems } = await log.verify();
      assert.ok(ok, `${name}: ${JSON.stringify(problems)}`);
    },
    close: async () => log?.close(),
  };
}
