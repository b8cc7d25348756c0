import assert from "node:assert/strict";
import { readResult } from "../contestants/read-result.js";
import type { Sample } from "../workload/loan-rings.js";
import type { RunningService } from "./service-process.js";

/** The body that carries an input to a service. */
export function bodyFor(service: { readonly wraps: boolean }, input: unknown): string {
  return JSON.stringify(service.wraps ? { input } : input);
}

/** Checks every answer of a service against what has to come out. Nobody is put under load who answers something else. */
export async function checkService(
  { service, url }: RunningService,
  samples: readonly Sample[],
): Promise<void> {
  for (const { input, expected } of samples) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: bodyFor(service, input),
    });
    const answer = readResult(await response.json());
    const where = `${service.name}, ${JSON.stringify(input)}`;
    assert.equal(response.headers.has("decern-record-id"), service.isRecorded === true, where);
    if (service.isFixed === true) {
      assert.deepEqual([response.status, answer.status], [200, "OK"], where);
      continue;
    }
    assert.equal(response.status, expected.status === "OK" ? 200 : 400, where);
    assert.equal(answer.status, expected.status, where);
    if (expected.status === "OK") {
      assert.equal(answer.rule, expected.rule, where);
      assert.deepEqual(answer.data, expected.data, where);
    } else {
      assert.deepEqual(answer.failing, expected.failing, where);
    }
  }
}
