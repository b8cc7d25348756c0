import { DecernError, type DecisionFile, defineDecision } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { type DecisionSet, watchDecisions } from "../../../test/support/watch.js";
import { createWarehouseFunction } from "../src/index.js";
import { silent } from "./support/decisions.js";
import { hosts } from "./support/hosts.js";

const documented = z.object({ document: z.object({ fee: z.number() }) });

function feeOf(file: DecisionFile) {
  const { fee } = documented.parse(file).document;
  return defineDecision({
    id: "fee",
    version: `v${fee}`,
    inputSchema: z.object({ weight: z.number() }),
    outputSchema: z.object({ fee: z.number() }),
    profileSchema: z.object({}),
    rules: [{ id: "all", when: () => true, emit: () => ({ fee }) }],
  });
}

const setOf = (fee: number): DecisionSet => ({ decisions: [{ name: "fee", document: { fee } }] });

/** Decisions that a test replaces. */
function replaced() {
  let set: DecisionSet | undefined;
  let wake = (): void => {};
  const source = watchDecisions({
    load: () => {
      if (set === undefined) throw new Error("not there yet");
      return set;
    },
    contracts: [
      { ids: ["fee"], holds: () => true, read: (files: readonly DecisionFile[]) => files.map(feeOf) },
    ],
    wake: (load) => {
      wake = load;
      return undefined;
    },
  });
  const publish = (next: DecisionSet): void => {
    set = next;
    wake();
  };
  return { source, publish };
}

it.each(hosts)(
  "%s evaluates the rows of a request with the decision that is loaded",
  async (_name, serve) => {
    const { source, publish } = replaced();
    const ask = await serve({
      decision: source,
      columns: ["weight"],
      engine: "bigquery",
      authenticate: "host",
      logger: silent,
    });
    const fees = async () => {
      const { status, text } = await ask('{"calls":[[1],[2]]}');
      const { replies = [] }: { replies?: readonly string[] } = JSON.parse(text);
      return { status, fees: replies.map((reply) => JSON.parse(reply).data.fee) };
    };
    // BigQuery asks again.
    expect(await fees()).toEqual({ status: 503, fees: [] });
    publish(setOf(4));
    await expect.poll(fees).toEqual({ status: 200, fees: [4, 4] });
    publish(setOf(5));
    await expect.poll(fees).toEqual({ status: 200, fees: [5, 5] });
  },
);

it("a function checks columns against what is loaded, and takes one contract", async () => {
  const { source, publish } = replaced();
  const logged: unknown[] = [];
  const options = {
    engine: "redshift",
    logger: { error: (line: unknown) => void logged.push(line) },
  } as const;
  const wrong: object = { ...options, decision: source, columns: ["height"] };
  createWarehouseFunction(Object(wrong));
  publish(setOf(4));
  await expect
    .poll(() => logged)
    .toMatchObject([
      { err: expect.any(Error) },
      { err: { problems: [{ path: "/columns/0", message: expect.any(String) }] } },
    ]);
  const two = watchDecisions({
    load: () => setOf(4),
    contracts: ["fee", "other"].map((id) => ({ ids: [id], holds: () => true, read: () => [] })),
  });
  const many: object = { ...options, decision: two, columns: ["weight"] };
  expect(() => createWarehouseFunction(Object(many))).toThrow(
    new DecernError("INVALID_OPTIONS", {
      detail: "createWarehouseFunction",
      problems: [{ path: "/decision", message: "must have one contract of one decision, and nothing fixed" }],
    }),
  );
});
