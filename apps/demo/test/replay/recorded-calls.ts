import { createEvaluator, type Decision, type DecisionRecord } from "@decern/core";
import { createGeneration } from "@decern/core/tools";
import { type DecisionLog, decisionLog, ndjsonFiles } from "@decern/decision-log";
import type { ReplaySource } from "@decern/replay";
import { createServer } from "@decern/server";
import { type Call, generatedCalls } from "./generated-calls.js";

/** The instant of every call: what the test evaluates itself is evaluated at the same. */
export const instant = new Date("2026-11-20T12:00:00.000Z");

const clock = { now: () => instant.getTime(), monotonic: () => 0 };
const silent = { error: () => {}, warn: () => {}, info: () => {} };

/** How many calls of each kind. */
export interface Amounts {
  readonly ordinary: number;
  /** With a mask on what rules read. */
  readonly masked: number;
  /** Of loans, beside which a candidate was evaluated. */
  readonly shadowed: number;
}

/** A log of the demo's decisions in files, and the calls that are on record there. */
export interface Recorded {
  readonly log: DecisionLog;
  readonly calls: ReadonlyMap<string, Call>;
}

/** Has the demo's decisions make records: all, sampled, masked, and some from a shadow. */
export async function record(
  folder: string,
  decisions: readonly Decision[],
  profiles: Readonly<Record<string, unknown>>,
  candidate: Decision,
  { ordinary, masked, shadowed }: Amounts,
): Promise<Recorded> {
  const calls = new Map<string, Call>();
  const log = decisionLog({
    store: ndjsonFiles(folder),
    mask: { "loan-approval": ["/input/customer"] },
    sample: { "document-access": { OK: 0.5 } },
    logger: silent,
  });
  const masking = decisionLog({
    store: ndjsonFiles(folder),
    mask: {
      "loan-approval": ["/input/applicant/creditScore"],
      "transaction-risk": ["/input/merchantCategory"],
    },
    logger: silent,
  });
  const catalogue = createGeneration(decisions, profiles);
  const evaluate = async (into: DecisionLog, made: Iterable<Call>): Promise<void> => {
    const evaluator = createEvaluator({ log: into, clock, logger: silent });
    for (const call of made) {
      calls.set(call.requestId, call);
      const hosted = catalogue.get(call.id);
      if (hosted === undefined) throw new Error(call.id);
      const bound = catalogue.bind(hosted.standard.decision);
      await evaluator.evaluate(bound, call);
      if (calls.size % 5000 === 0) await into.flush();
    }
    await into.flush();
  };
  await evaluate(log, generatedCalls(ordinary, 1));
  await evaluate(masking, renamed(generatedCalls(masked, 2), "masked"));
  const server = createServer({
    decisions: [...decisions, candidate],
    profiles,
    versions: { [candidate.id]: { default: catalogue.get(candidate.id)?.standard.decision.version ?? "" } },
    shadow: { [candidate.id]: { version: candidate.version } },
    log,
    clock,
    logger: silent,
  });
  for (const call of renamed(generatedCalls(shadowed * decisions.length, 3), "shadowed")) {
    if (call.id !== candidate.id) continue;
    calls.set(call.requestId, { ...call, profile: undefined });
    const reply = await server.handler.inject({
      method: "POST",
      url: `/decisions/${call.id}`,
      headers: { "x-request-id": call.requestId },
      payload: { input: call.input },
    });
    if (reply.statusCode >= 500) throw new Error(reply.body);
  }
  await server.close();
  await masking.close();
  await log.flush();
  return { log, calls };
}

function* renamed(calls: Iterable<Call>, prefix: string): Generator<Call> {
  for (const call of calls) yield { ...call, requestId: `${prefix}-${call.requestId}` };
}

/** Records as lines of text, by their decision: as from a file, without reading it again and again. */
export class Lines implements ReplaySource {
  readonly #lines: readonly string[];
  readonly #log: DecisionLog;

  constructor(lines: readonly string[], log: DecisionLog) {
    this.#lines = lines;
    this.#log = log;
  }

  async *find(): AsyncGenerator<DecisionRecord> {
    for (const line of this.#lines) yield JSON.parse(line);
  }

  profile(hash: string): Promise<unknown> {
    return this.#log.profile(hash);
  }
}
