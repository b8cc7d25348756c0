import assert from "node:assert/strict";
import type { Sample } from "../workload/loan-rings.js";
import type { Contestant } from "./contestant.js";

/** Checks every answer of a contestant against what has to come out. Nobody is timed who answers something else. */
export async function check(contestant: Contestant, samples: readonly Sample[]): Promise<void> {
  for (const { input, expected } of samples) {
    const answer = contestant.read(await contestant.evaluate(input));
    const where = `${contestant.name}, ${JSON.stringify(input)}`;
    assert.equal(answer.status, expected.status, where);
    if (expected.status === "OK") {
      assert.equal(answer.rule, expected.rule, where);
      if ("data" in answer) assert.deepEqual(answer.data, expected.data, where);
    } else {
      assert.deepEqual(answer.failing, expected.failing, where);
    }
  }
}
