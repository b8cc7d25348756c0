import { type Decision, evaluate } from "@decern/core";
import { loadDmn } from "@decern/dmn";
import { evaluate as evaluateFeel } from "feelin";
import { z } from "zod";
import type { FeeRow } from "../workload/fee-rows.js";
import { interestFeel, interestOf, type Loan } from "../workload/interest.js";
import type { Contestant } from "./contestant.js";
import { readResult } from "./read-result.js";

function decisionOf(name: string, inputs: Readonly<Record<string, string>>, expression: string): Decision {
  const data = Object.entries(inputs).map(
    ([input, type]) =>
      `<inputData name="${input}" id="${input}"><variable name="${input}" typeRef="${type}"/></inputData>`,
  );
  const required = Object.keys(inputs).map(
    (input) => `<informationRequirement><requiredInput href="#${input}"/></informationRequirement>`,
  );
  const text = `<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" name="bench" namespace="urn:bench">
${data.join("\n")}
<decision name="${name}" id="${name}"><variable name="${name}" typeRef="number"/>${required.join("")}${expression}</decision>
</definitions>`;
  const [decision] = loadDmn([{ name: "bench.dmn", text }]);
  if (decision === undefined) throw new RangeError("the model has no decision");
  return decision;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** The rows of W4 as a table of DMN. */
export function dmnTable(rows: readonly FeeRow[]): Contestant {
  const inputs = {
    zone: "string",
    kind: "string",
    weightKg: "number",
    value: "number",
    express: "boolean",
    member: "boolean",
  };
  const columns = Object.entries(inputs).map(
    ([name, type]) =>
      `<input><inputExpression typeRef="${type}"><text>${name}</text></inputExpression></input>`,
  );
  const interval = ([low, high]: readonly [number, number]) => `[${low}..${high})`;
  const rules = rows.map(({ zone, kind, weight, value, fee }) => {
    const cells = [`"${zone}"`, `"${kind}"`, interval(weight), interval(value), "-", "-"];
    const entries = cells.map((cell) => `<inputEntry><text>${escaped(cell)}</text></inputEntry>`).join("");
    return `<rule>${entries}<outputEntry><text>${fee}</text></outputEntry></rule>`;
  });
  const decision = decisionOf(
    "fee",
    inputs,
    `<decisionTable hitPolicy="FIRST">${columns.join("")}<output typeRef="number"/>${rules.join("\n")}</decisionTable>`,
  );
  return {
    name: "Decern, DMN table",
    asynchronous: false,
    evaluate: (input) => evaluate(decision, input),
    read: (answer) => {
      const { status, rule, data } = readResult(answer);
      return { status, rule: rule?.replace("fee/", "row-"), data };
    },
  };
}

/** Who evaluates the interest of a loan. */
export interface ExpressionContestant {
  readonly name: string;
  readonly evaluate: (input: Loan) => unknown;
  readonly read: (answer: unknown) => number;
}

export function expressionContestants(): readonly ExpressionContestant[] {
  const inputs = { Amount: "number", Rate: "number", Months: "number" };
  const literal = `<literalExpression><text>${escaped(interestFeel)}</text></literalExpression>`;
  const decision = decisionOf("Interest", inputs, literal);
  const envelope = z.object({ status: z.literal("OK"), data: z.object({ Interest: z.number() }) });
  const result = z.object({ value: z.number() });
  return [
    {
      name: "Decern, DMN literal expression",
      evaluate: (input) => evaluate(decision, input),
      read: (answer) => envelope.parse(answer).data.Interest,
    },
    {
      name: "JavaScript by hand",
      evaluate: interestOf,
      read: Number,
    },
    {
      name: "feelin",
      evaluate: (input) => evaluateFeel(interestFeel, { ...input }),
      read: (answer) => result.parse(answer).value,
    },
  ];
}
