import { defineDecision } from "@decern/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { anything } from "./support/decisions.js";
import { setUp } from "./support/set-up.js";

const application = defineDecision({
  id: "application",
  version: "1.0.0",
  inputSchema: anything,
  outputSchema: anything,
  profileSchema: anything,
  rules: [
    { id: "always", when: () => true, emit: () => ({ approved: true }), explain: (input) => saysOf(input) },
  ],
});

function saysOf(input: unknown): string {
  return typeof input === "object" && input !== null && "note" in input ? `noted: ${input.note}` : "none";
}

/** Short, and of few characters, so that a masked text is often in other places too. */
const text = fc.string({ unit: fc.constantFrom(..."ab1 .,-"), maxLength: 5 });
const secret = fc.oneof(text, fc.integer({ min: -20, max: 20 }), fc.boolean());
const input = fc.record(
  {
    owner: fc.record({ name: secret, id: text }, { requiredKeys: [] }),
    people: fc.array(fc.record({ name: secret, note: text }, { requiredKeys: [] }), { maxLength: 3 }),
    note: fc.oneof(text, fc.integer({ min: 0, max: 20 })),
  },
  { requiredKeys: [] },
);
const mask = { application: ["/input/owner/name", "/input/people/*/name"] };

it("masks a payload of plain text as it masks any other", async () => {
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const { store, log, evaluator } = setUp({ mask });
      await evaluator.evaluate(application, { input: given });
      // A letter beyond ASCII is searched for member by member.
      await evaluator.evaluate(application, { input: { ...given, zz: "é" } });
      await log.close();
      const [plain, other] = store.records;
      const { zz, ...rest } = Object(other?.payload?.input);
      expect(zz).toBe("é");
      expect({ input: plain?.payload?.input, result: plain?.payload?.result, masked: plain?.masked }).toEqual(
        {
          input: rest,
          result: { ...Object(other?.payload?.result), meta: expect.anything() },
          masked: other?.masked,
        },
      );
      const explanations = store.records.map(({ payload }) => Object(payload?.result).meta.explanation);
      expect(explanations[0]).toEqual(explanations[1]);
    }),
    { numRuns: 500 },
  );
});

it("changes no input, and removes what is masked once", async () => {
  const { store, log, evaluator } = setUp({ mask });
  const given = { owner: { name: "Ann", id: "7" }, people: [{ name: 5 }, { name: "Eve", note: "fine" }] };
  const before = structuredClone(given);
  await evaluator.evaluate(application, { input: given });
  await log.close();
  expect(given).toEqual(before);
  expect(store.records[0]).toMatchObject({
    masked: ["/input/owner/name", "/input/people/0/name", "/input/people/1/name"],
    payload: { input: { owner: { id: "7" }, people: [{}, { note: "fine" }] } },
  });
});
