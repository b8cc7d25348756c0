import { type Decision, defineDecision } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { evaluateMasked } from "../../src/records/masked-rerun.js";

const person = z.object({ name: z.string().min(2), age: z.int() });

function decide(
  when: (input: { person: z.infer<typeof person>; note?: string | undefined }) => boolean,
  explain?: string,
) {
  return defineDecision({
    id: "d",
    version: "1",
    inputSchema: z.object({ person, note: z.string().optional(), size: z.number().default(3) }),
    outputSchema: z.object({ ok: z.boolean() }),
    profileSchema: z.object({}),
    rules: [
      {
        id: "yes",
        when,
        emit: () => ({ ok: true }),
        explain: (input) => (explain === undefined ? "yes" : `${explain} ${input.note} ${input.person.name}`),
      },
      { id: "no", when: () => true, emit: () => ({ ok: false }) },
    ],
  });
}

function rerun(
  decision: Decision,
  input: unknown,
  masked: readonly string[],
  recorded: Decision | undefined = decision,
) {
  const { ended, isInconclusive } = evaluateMasked(
    { masked, status: "OK" },
    { decision, input, epochMs: 0, requestId: "r" },
    recorded,
  );
  return { isInconclusive, status: ended.result?.status, explanation: ended.result?.meta };
}

const adult = decide(({ person: { age } }) => age >= 18);

it("is conclusive where no rule looks at what was masked, required or not", () => {
  expect(rerun(adult, { person: { name: "Ada", age: 20 } }, ["/input/note"])).toMatchObject({
    isInconclusive: false,
    status: "OK",
  });
  expect(rerun(adult, { person: { age: 20 } }, ["/input/person/name"])).toMatchObject({
    isInconclusive: false,
    status: "OK",
  });
  expect(
    rerun(adult, { person: { name: "Ada", age: 20 } }, ["/result/meta/explanation"]).isInconclusive,
  ).toBe(false);
});

it.each([
  ["reads it", ({ note }: { note?: string | undefined }) => note === "x"],
  ["asks whether it is there", (input: object) => "note" in input],
  ["lists all members", (input: object) => Object.keys(input).length > 2],
  ["copies all members", (input: object) => ({ ...input }) === undefined],
  ["writes all of it", (input: object) => JSON.stringify(input).includes("x")],
])("is inconclusive where a rule %s", (_how, when) => {
  expect(rerun(decide(when), { person: { name: "Ada", age: 20 } }, ["/input/note"]).isInconclusive).toBe(
    true,
  );
});

it("does not mind an explanation that looks, unless it would quote a stand-in", () => {
  const quoting = decide(({ person: { age } }) => age >= 18, "because of");
  expect(rerun(quoting, { person: { name: "Ada", age: 20 } }, ["/input/note"]).isInconclusive).toBe(false);
  expect(rerun(quoting, { person: { age: 20 } }, ["/input/person/name"]).isInconclusive).toBe(true);
});

it("is inconclusive where the schema may have put the value elsewhere", () => {
  const transformed = defineDecision({
    id: "d",
    version: "1",
    inputSchema: z.object({ note: z.string().optional(), age: z.int() }).transform((input) => ({
      ...input,
      isLong: (input.note ?? "").length > 3,
    })),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "long", when: ({ isLong }) => isLong, emit: () => ({}) }],
  });
  expect(rerun(transformed, { age: 20 }, ["/input/note"]).isInconclusive).toBe(true);
});

it("is inconclusive where the output or the profile was masked, and for another input schema", () => {
  const input = { person: { name: "Ada", age: 20 } };
  expect(rerun(adult, input, ["/result/data/ok"]).isInconclusive).toBe(true);
  expect(rerun(adult, input, ["/profile/secret"]).isInconclusive).toBe(true);
  const gone = { masked: ["/input/note"], status: "OK" } as const;
  expect(evaluateMasked(gone, { decision: adult, input, epochMs: 0 }, undefined).isInconclusive).toBe(true);
  const other = defineDecision({
    id: "d",
    version: "2",
    inputSchema: z.object({ person, note: z.string().max(2).optional() }),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "r", when: () => true, emit: () => ({}) }],
  });
  expect(rerun(other, input, ["/input/note"], adult).isInconclusive).toBe(true);
});
