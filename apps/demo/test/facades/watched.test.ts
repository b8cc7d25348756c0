import { ofrep } from "@decern/ofrep";
import { createServer } from "@decern/server";
import { readTable, tableContract } from "@decern/table";
import { watchDecisions } from "@decern/watch";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

const contract = tableContract({
  id: "checkout",
  inputSchema: z.object({ targetingKey: z.string() }),
  outputSchema: z.object({ value: z.boolean() }),
  profileSchema: z.object({}),
});
const document = {
  table: "checkout",
  version: "1",
  hitPolicy: "U",
  inputs: [{ path: "targetingKey" }],
  outputs: [{ path: "value" }],
  rules: [{ id: "all", if: ["-"], then: [true] }],
};
const flag = readTable(contract, { name: "checkout", document });
const other = tableContract({ ...contract, id: "other" });
const load = () => new Promise<undefined>(() => {});

it("a facade of a decision that is watched is refused at start: it would evaluate what was loaded no longer", () => {
  const start = () =>
    createServer({
      decisions: watchDecisions({ load, contracts: [contract] }),
      facades: [ofrep({ flags: [flag] })],
      logger: false,
    });
  expect(start).toThrow('evaluates "checkout", which watchDecisions loads');
  expect(start).toThrow("/facades/0");
});

it("a facade of a decision that nobody serves is refused at start, before anything is loaded", () => {
  const start = () =>
    createServer({
      decisions: watchDecisions({ load, contracts: [other] }),
      facades: [ofrep({ flags: [flag] })],
      logger: false,
    });
  expect(start).toThrow('evaluates version 1 of "checkout", which is not among the decisions');
});

it("a facade evaluates what is fixed, alongside what is loaded", async () => {
  const server = createServer({
    decisions: watchDecisions({
      load: () => ({ decisions: [{ name: "other", document: { ...document, table: "other" } }] }),
      contracts: [other],
      fixed: [flag],
    }),
    facades: [ofrep({ flags: [flag] })],
    logger: false,
  });
  onTestFinished(() => server.close());
  const value = async () => {
    const reply = await server.handler.inject({
      method: "POST",
      url: "/ofrep/v1/evaluate/flags/checkout",
      payload: { context: { targetingKey: "ada" } },
    });
    return reply.json().value;
  };
  await expect.poll(value).toBe(true);
});
