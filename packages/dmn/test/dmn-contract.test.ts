import { DecernError, evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { dmnContract, loadDmn } from "../src/index.js";
import { dmn, literal, requiredDecision } from "./support/models.js";

const text = ({ text: content }: { readonly text: string }) => new TextEncoder().encode(content);
const model = dmn(
  literal("Base", "1") + literal("Rate", "Base + 1", { requires: [requiredDecision("Base")] }),
);

describe("dmnContract", () => {
  const contract = dmnContract(["Rate"]);

  it("reads the decisions that it names, and no others of the models", () => {
    const decisions = contract.read([{ name: "/etc/rates.dmn", bytes: text(model) }]);
    expect(decisions.map(({ id }) => id)).toEqual(["Rate"]);
    expect(decisions.map((decision) => evaluate(decision, {}))).toMatchObject([{ data: { Rate: 2 } }]);
  });

  it("makes the same content of a file wherever it is, with a version of its own", () => {
    const [one] = contract.read([{ name: "/etc/rates.dmn", bytes: text(model) }]);
    const [other] = contract.read([{ name: "rates.dmn", bytes: text(model) }]);
    const [kept] = contract.read([
      { name: "set", document: { documents: [{ name: "rates.dmn", text: model.text }] } },
    ]);
    const [loaded] = loadDmn([{ ...model, name: "rates.dmn" }]);
    for (const each of [other, kept, loaded]) expect(each?.contentHash).toBe(one?.contentHash);
    expect(one?.contentHash).toContain(`sha256:${one?.version}`);
    expect(one?.version).toHaveLength(12);
    const changed = { text: model.text.replace("Base + 1", "Base + 2") };
    const [next] = contract.read([{ name: "rates.dmn", bytes: text(changed) }]);
    expect(next?.version).not.toBe(one?.version);
    const [named] = dmnContract(["Rate"], { version: "2.0.0" }).read([
      { name: "rates.dmn", bytes: text(model) },
    ]);
    expect(named?.version).toBe("2.0.0");
  });

  it("holds XML and documents of DMN, but no tables", () => {
    const holds = (content: string, name = "a") =>
      contract.holds({ name, bytes: new TextEncoder().encode(content) });
    expect(holds("\uFEFF \n<definitions/>")).toBe(true);
    expect(holds("broken", "a.dmn")).toBe(true);
    expect(holds("table;fee")).toBe(false);
    expect(contract.holds({ name: "set", document: { documents: [{ name: "a", text: "b" }] } })).toBe(true);
    expect(contract.holds({ name: "set", document: { table: "fee" } })).toBe(false);
  });

  it.each([
    [
      "text that is not UTF-8",
      { name: "a.dmn", bytes: Uint8Array.of(0xc3, 0x28) },
      "a.dmn is not text in UTF-8",
    ],
    [
      "a model without the decision",
      { name: "a.dmn", bytes: text(dmn(literal("Other", "1"))) },
      "there are Other",
    ],
    ["a broken model", { name: "a.dmn", bytes: text({ text: "<definitions>" }) }, "well-formed"],
  ])("rejects %s", (_name, file, message) => {
    const problemsOf = () => {
      try {
        contract.read([file]);
      } catch (error) {
        if (error instanceof DecernError && error.code === "INVALID_DECISION") return error.problems;
        throw error;
      }
      return [];
    };
    expect(
      problemsOf()
        .map((problem) => problem.message)
        .join("\n"),
    ).toContain(message);
  });

  it("checks its options when it is made", () => {
    expect(() => dmnContract([])).toThrow(/ids/);
    expect(() => dmnContract(["Rate"], { limits: { steps: 0 } })).toThrow(/steps/);
  });
});
