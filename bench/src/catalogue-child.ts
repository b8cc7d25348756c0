import assert from "node:assert/strict";
import { type Decision, evaluate } from "@decern/core";
import { createGeneration } from "@decern/core/tools";
import { readResult } from "./contestants/read-result.js";
import { sink } from "./measure/rounds.js";
import { median } from "./measure/statistics.js";
import { fullSizes, shortSizes } from "./sizes.js";
import { loanDecision } from "./workload/decisions.js";
import { theProfile } from "./workload/loan-approval.js";
import { loanRings } from "./workload/loan-rings.js";
import { randomOrder } from "./workload/random-order.js";

/** What one process measured of one catalogue. */
export interface CatalogueFigures {
  readonly defineMs: number;
  readonly startMs: number;
  /** What defining and starting added, in MiB. */
  readonly rssMiB: number;
  readonly heapMiB: number;
  /** Nanoseconds an evaluation of always the same decision. */
  readonly oneNs: number;
  /** Nanoseconds an evaluation, of any decision, looked up by id. */
  readonly randomNs: number;
}

/** W3 in a process of its own: `node catalogue-child.js <decisions> <short or full>`. Prints its figures as JSON. */
const count = Number(process.argv[2]);
const sizes = process.argv[3] === "short" ? shortSizes : fullSizes;
console.log(JSON.stringify(measureCatalogue()));

function measureCatalogue(): CatalogueFigures {
  const samples = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
  const inputs = samples.map(({ input }) => input);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const began = performance.now();
  const decisions = Array.from({ length: count }, (_, index) => loanDecision(`loan-approval-${index}`));
  const defined = performance.now();
  const profiles = Object.fromEntries(decisions.map(({ id }) => [id, theProfile]));
  const catalogue = createGeneration(decisions, profiles);
  const started = performance.now();
  globalThis.gc?.();
  const after = process.memoryUsage();

  const ids = randomOrder([...catalogue.decisions.keys()]);
  const decisionAt = (index: number): Decision => {
    const hosted = catalogue.get(ids[index % ids.length] ?? "");
    if (hosted === undefined) throw new RangeError("no such decision");
    return catalogue.bind(hosted.standard.decision);
  };
  const one = decisionAt(0);
  for (const [index, { input, expected }] of samples.entries()) {
    const answer = readResult(evaluate(decisionAt(index), input));
    assert.deepEqual(answer, { ...expected, data: expected.status === "OK" ? expected.data : undefined });
  }
  // Each is evaluated once first: what compiles at the first evaluation is not what an evaluation costs.
  for (let index = 0; index < count; index += 1) sink.value = evaluate(decisionAt(index), inputs[0]);
  return {
    defineMs: defined - began,
    startMs: started - defined,
    rssMiB: (after.rss - before.rss) / 2 ** 20,
    heapMiB: (after.heapUsed - before.heapUsed) / 2 ** 20,
    oneNs: time((index) => evaluate(one, inputs[index % inputs.length])),
    randomNs: time((index) => evaluate(decisionAt(index), inputs[index % inputs.length])),
  };
}

function time(run: (index: number) => unknown): number {
  const loop = (runs: number): number => {
    const from = performance.now();
    for (let index = 0; index < runs; index += 1) sink.value = run(index);
    return ((performance.now() - from) * 1e6) / runs;
  };
  const until = performance.now() + sizes.warmUpMs;
  let ns = loop(1000);
  while (performance.now() < until) ns = loop(10_000);
  const runs = Math.ceil((sizes.roundMs * 1e6) / ns);
  return median(Array.from({ length: sizes.rounds }, () => loop(runs)));
}
