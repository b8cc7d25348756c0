import { inspect } from "node:util";
import { DecernError, type Evaluator } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect } from "../../../test/support/collect.js";
import { type DecisionLog, decisionLog } from "../src/index.js";
import { echo, greeting, loanList, welcome } from "./support/decisions.js";
import { chainErrors, schemaErrors } from "./support/judge-records.js";
import type { MemoryStore } from "./support/memory-store.js";
import { setUp } from "./support/set-up.js";

/** Marks what must never be seen again. No other text of a record has it in it. */
const marked = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 8 }), fc.string({ unit: "grapheme", maxLength: 8 }))
  .map(([before, after]) => `${before}Zażółć-Ñ${after}`);
const markedNumber = fc.integer({ min: 10_000_000, max: 99_999_999 }).map((value) => value + 0.25);
const secret = fc.oneof(marked, markedNumber);

/** As records would show it, in any case. */
function shows(text: string, value: string | number): boolean {
  if (typeof value === "number") return text.includes(`${value}`);
  const folded = text.normalize("NFKC").toLowerCase();
  return folded.includes("zażółć-ñ") || text.includes(JSON.stringify(value).slice(1, -1));
}

/** What the log throws and finds wrong when it is given such values, as a programmer would print it. */
async function everyError(
  log: DecisionLog,
  evaluator: Evaluator,
  store: MemoryStore,
  secrets: readonly (string | number)[],
): Promise<string> {
  const errors: unknown[] = [];
  const failing = async (call: () => unknown): Promise<void> => {
    try {
      await call();
    } catch (error) {
      errors.push(error);
      return;
    }
    throw new Error("this call was expected to fail");
  };
  for (const value of secrets) {
    // A JavaScript caller may give anything, to a log that has no key.
    for (const subject of [value, [value], { name: value }]) {
      await failing(() => Reflect.apply(log.erase, log, [{ subject }]));
      await failing(() => collect(Reflect.apply(log.find, log, [{ subject }])));
    }
    // Too short for a key.
    const key = typeof value === "string" ? "Zażółć-Ñ" : `${value}`;
    await failing(() => decisionLog({ store, subject: { key, of: {} } }));
    await failing(() => Reflect.apply(decisionLog, undefined, [{ store, build: { value }, sample: value }]));
    // A record that somebody has changed, and a line that is none.
    store.lines.push(JSON.stringify({ ...store.records[0], build: `${value}` }), `${value}`);
  }
  const { ok, problems } = await log.verify();
  store.lines.splice(1);
  expect(ok).toBe(false);
  store.down = new Error("no room");
  await evaluator.evaluate(echo, { input: { people: [{ name: secrets[0] }] } });
  // It waits until the write has failed.
  await log.stats();
  await failing(() => evaluator.evaluate(echo, { input: { people: [{ name: secrets[0] }] } }));
  store.down = undefined;
  return inspect([...errors, ...problems], { depth: null, showHidden: true });
}

describe("what is masked", () => {
  it("is in no record, log line or error, wherever it turns up again", async () => {
    const people = fc.array(fc.record({ name: secret, note: fc.string(), tags: fc.array(secret) }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(people, fc.boolean(), async (list, fails) => {
        const { store, log, logger, evaluator } = setUp({
          mask: { echo: ["/input/people/*/name", "/input/people/*/tags"] },
        });
        const secrets = list.flatMap(({ name, tags }) => [name, ...tags]);
        // It turns up in other places of the input, in the output, and in capitals in the explanation.
        const again = secrets.map((value) => ({ [`about ${value}`]: `see ${value}!`, value }));
        if (fails) store.failures.push("some");
        await evaluator.evaluate(echo, { input: { people: list, again, open: "this stays" } });
        await log.flush();
        const [line = ""] = store.lines;
        expect(line).toContain("this stays");
        expect(schemaErrors(line)).toEqual([]);
        expect(chainErrors(store.lines)).toEqual([]);
        expect(await log.verify()).toMatchObject({ ok: true });
        const said = await everyError(log, evaluator, store, secrets);
        await log.close();
        for (const value of secrets) {
          for (const text of [...store.lines, JSON.stringify(logger.lines), said])
            expect(shows(text, value)).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is removed where the mask points to, and wherever else it is, with its place", async () => {
    const { store, log, evaluator } = setUp({ mask: { greeting: ["/input/name"] } });
    await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    await log.flush();
    expect(store.records[0]?.masked).toEqual([
      "/input/name",
      "/result/data/text",
      "/result/meta/evaluatedRules/1/explanation",
      "/result/meta/explanation",
    ]);
    expect(store.records[0]?.payload).toMatchObject({
      input: {},
      result: { status: "OK", data: {}, meta: { matchedRule: "hello" } },
    });
    await log.close();
  });

  it.each([
    ["a name in a genitive", "Müller", "Müllers Antrag", true],
    ["other capitals", "Straße", "STRASSE 1", true],
    ["another encoding", "é".normalize("NFD"), "caf é", true],
    ["a short text as a word", "Al", "Hello Al!", true],
    ["a short text within a word", "Al", "Also here", false],
    ["a quoted text", 'a"b c', 'named "a\\"b c"', true],
    ["a number", 68_000, "an income of 68000 a year", true],
    ["a number with separators", 68_000, "an income of 68,000.00 a year", true],
    ["a number with a decimal comma", 1.5, "rate 1,5 %", true],
    ["a number within another one", 42, "1420 and 4.2", false],
    ["a number as text", "123456", "account 123,456", true],
    ["a number of another sign", -5, "5 below", true],
    ["an IBAN without its spaces", "DE89 3704 0044 0532 0130 00", "to DE89370400440532013000!", true],
    ["an IBAN with spaces", "DE89370400440532013000", "to DE89 3704 0044 0532 0130 00", true],
    ["an IBAN in other groups", "DE89 3704 0044 0532 0130 00", "to DE893704 00440532 013000er", true],
    ["a phone number without spaces", "+49 30 901820", "call +4930901820", true],
    ["a phone number as a number", "0 30 90 18 20", 30_901_820, false],
    ["a text on two lines", "Ada\r\nByron", "ADA BYRON's loan", true],
    ["a text with a tab, spaces collapsed", "Ada \t Byron", "for Ada Byron", true],
    ["a text with a space that does not break", "Ada\u00A0Byron", "for Ada Byron", true],
    ["a postcode with a space", "SW1A1AA", "from SW1A 1AA.", true],
    ["letters across words", "Theo", "the order of the others", false],
    ["a text of spaces", " \t ", "a text with spaces", false],
    ["a part of a name", "Ada Byron", "Dear Ada", false],
    ["base64", "Ada Byron", btoa("Ada Byron"), false],
    ["an encoded URL", "Ada Byron", encodeURIComponent("Ada Byron"), false],
    ["escaped HTML", "Müller & Co", "M&uuml;ller &amp; Co", false],
    ["no diacritics", "Müller", "Muller and Mueller", false],
    ["other punctuation", "+49 30 901820", "(030) 90-18-20", false],
    ["a date in another form", "1815-12-10", "10.12.1815", false],
    ["a rounded number", 1234.56, "about 1235", false],
    ["a boolean", true, "hiv: true", false],
    ["nothing", null, "null", false],
    ["a name of a member", { "Ada Byron": { income: 1 } }, "Guaranteed by ADA BYRON", true],
    ["a name of a member without its space", { "Ada Byron": 1 }, "for AdaByron", true],
    ["a name of a member, deep inside", [[{ a: { "Ada Byron": null } }]], "for Ada Byron", true],
    ["a name of a member, as an error points to it", { "A/B ~ C": 1 }, "at /list/A~1B ~0 C/age", true],
    ["a name of a member that JSON cannot carry", { "Ada Byron": () => 1 }, "for Ada Byron", true],
    ["a short name of a member as a word", { Ada: 1 }, "for Ada.", true],
    ["a short name of a member within a word", { Ada: 1 }, "no adapter", false],
    ["an account number as a name", { 47110815: 1 }, 47_110_815, true],
    ["one letter as a name", { a: 1 }, "for a loan", false],
    ["one letter as a name, alone", { a: 1 }, "A", true],
    ["an index as a name", { 0: "x", 12: "y" }, "0 of 12 points", false],
    ["a name that a schema has", { explanation: "x", matched: true }, "no explanation matched", false],
  ])("is found in a text: %s", async (_what, value, text, isFound) => {
    const { store, log, evaluator } = setUp({ mask: { echo: ["/input/secret"] } });
    await evaluator.evaluate(echo, { input: { secret: value, text } });
    await log.flush();
    expect(store.records[0]?.masked).toContain("/input/secret");
    expect(store.records[0]?.masked.includes("/input/text")).toBe(isFound);
    await log.close();
  });

  it("is not the name of a member that a schema of the decision has, or of one that it uses", async () => {
    const { store, log, evaluator } = setUp({ mask: { "loan-list": ["/input/guarantors"] } });
    const guarantors = { "Ada Byron": { income: 41_234 } };
    await evaluator.evaluate(loanList, { input: { guarantors, note: "income and bestGuarantor" } });
    await log.flush();
    expect(store.records[0]).toMatchObject({
      masked: [
        "/input/guarantors",
        "/result/data/bestGuarantor",
        "/result/meta/evaluatedRules/0/explanation",
        "/result/meta/explanation",
      ],
      payload: { input: { note: "income and bestGuarantor" }, result: { data: { income: "stays" } } },
    });
    expect(store.lines[0]).not.toMatch(/ada\s*byron/i);
    await log.close();
  });

  it("is nowhere in a line, whatever its white space, as a value or as the name of a member", async () => {
    const space = fc.constantFrom("", " ", "  ", "\t", "\n", "\u00A0", "\u2009");
    /** Eight characters, no two texts with one in common. */
    const secretText = fc.nat(0xffff).map((number) => `Żółć${number.toString(16).padStart(4, "0")}`);
    const spaced = (text: string, spaces: readonly string[]) =>
      [...text].map((character, index) => (index === 0 ? "" : (spaces[index] ?? "")) + character).join("");
    const spaces = fc.array(space, { minLength: 8, maxLength: 8 });
    const shown = fc.tuple(secretText, spaces, spaces, fc.boolean(), fc.string(), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(shown, { minLength: 1, maxLength: 4 }), async (list) => {
        const { store, log, evaluator } = setUp({ mask: { echo: ["/input/secret"] } });
        const secret = list.map(([text, written, , isName]) => {
          const value = spaced(text, written);
          return isName ? { [value]: 1 } : value;
        });
        const again = list.map(
          ([text, , other, , before, after]) => `${before}${spaced(text, other)}${after}`,
        );
        await evaluator.evaluate(echo, {
          input: {
            secret,
            again,
            names: Object.fromEntries(again.map((text) => [text, "x"] as const)),
            open: "stays",
          },
        });
        await log.flush();
        const line = (store.lines[0] ?? "")
          .normalize("NFKC")
          .toLowerCase()
          .replaceAll(/\s|\\[tn]/g, "");
        expect(line).toContain('"open":"stays"');
        for (const [text] of list) expect(line).not.toContain(text.toLowerCase());
        await log.close();
      }),
      { numRuns: 100 },
    );
  });

  it("is hidden in decisions that use the masked one, and in what they say", async () => {
    const { store, log, evaluator } = setUp({ mask: { greeting: ["/input/name", "/result/data"] } });
    await evaluator.evaluate(welcome, { input: { name: "Annabel" } });
    await log.flush();
    expect(store.lines[0]).not.toContain("Annabel");
    expect(store.records[0]?.payload).toMatchObject({
      used: [{ id: "greeting", result: { status: "OK", meta: { matchedRule: "hello" } } }],
    });
    expect(store.records[0]?.masked).toContain("/used/0/result/data");
    await log.close();
  });

  it("is hidden in what a caller's profile and a refusal say", async () => {
    const refusal = Object.assign(new Error("Annabel is not served"), { statusCode: 403 });
    const hooks = {
      beforeEvaluate: () => {
        throw refusal;
      },
    };
    const { store, log, evaluator } = setUp({ mask: { echo: ["/profile/who"] } }, { hooks });
    const call = { input: "annabel", profile: { who: "Annabel", rate: 2 } };
    await expect(evaluator.evaluate(echo, call)).rejects.toThrow(DecernError);
    await log.flush();
    expect(store.lines[0]?.toLowerCase()).not.toContain("annabel");
    expect(store.records[0]).toMatchObject({
      masked: ["/error/message", "/input", "/profile/who"],
      payload: { error: { code: "EVALUATION_ABORTED" }, profile: { rate: 2 } },
    });
    await log.close();
  });

  it("is not known by the names that a wildcard stands for", async () => {
    const { store, log, evaluator } = setUp({ mask: { echo: ["/input/people/*", "/input/list/*/x"] } });
    await evaluator.evaluate(echo, { input: { people: { Annabel: { age: 5 } }, list: [{ x: 7, y: 8 }, 9] } });
    await log.flush();
    expect(store.records[0]?.payload?.input).toEqual({ list: [{ y: 8 }, 9] });
    expect(store.records[0]?.masked).toEqual(expect.arrayContaining(["/input/people", "/input/list/0/x"]));
    await log.close();
  });

  it("takes the whole payload with it when an input cannot be read", async () => {
    const { store, log, logger, evaluator } = setUp();
    const input = {
      name: "Ann",
      // No rule reads it.
      get other(): string {
        throw new Error("secret");
      },
    };
    await evaluator.evaluate(greeting, { input });
    await log.flush();
    expect(store.records.at(-1)).toMatchObject({ payload: null, masked: [""] });
    expect(JSON.stringify(logger.lines)).not.toContain("secret");
    expect(logger.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
    await log.close();
  });
});
