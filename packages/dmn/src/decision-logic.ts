import type { BoundLogic, Logic, LogicContent, LogicContext, LogicDecision, LogicRule } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { rowId } from "./boxed/nested-tables.js";
import { fromJson, toJson } from "./contract/json-values.js";
import type { Linked } from "./graph/link.js";
import { type ModelProgram, State } from "./graph/program.js";
import { tablesOf } from "./graph/tables.js";
import { type Limits, Run, type Warning } from "./values/run.js";
import { FeelFunction, type FeelValue, type Type } from "./values/value.js";

/** What a decision takes and returns. */
export interface Contract {
  readonly linked: Linked;
  readonly program: ModelProgram;
  /** By the names that input has. */
  readonly inputs: ReadonlyMap<string, Linked>;
  readonly profile: ReadonlyMap<string, Linked>;
  readonly result: Type;
  /** The name of a result that is not an object. */
  readonly wrapper: string | undefined;
  readonly limits: Limits;
  /** Told after each evaluation that has warnings. */
  readonly warn: (warnings: readonly Warning[], context: LogicContext) => void;
}

/** A decision or a decision service as core evaluates it. */
export function logicOf(
  contract: Contract,
  content: LogicContent,
  from: (document: unknown) => Logic,
): Logic {
  const { linked } = contract;
  const rules = rulesOf(linked, contract.program);
  const withoutRow = withoutRowOf(linked);
  return {
    content,
    rules,
    from,
    bind(profile): BoundLogic {
      const decide = (input: unknown, context: LogicContext) =>
        evaluate(contract, withoutRow, input, profile, context);
      return {
        decide,
        hits: (input, context) => decide(input, context).hits,
        // A model does not tell where its result changes.
        thresholds: [],
      };
    },
  };
}

/** The rows of the tables that a result may come from, its own first, and the decision itself. */
function rulesOf(linked: Linked, program: ModelProgram): readonly LogicRule[] {
  const rules = new Map<string, LogicRule>();
  for (const { box, path } of tablesOf(linked, program)) {
    for (const [row, { description }] of box.rules.entries()) {
      const id = rowId(path, row);
      if (!rules.has(id)) rules.set(id, { id, description });
    }
  }
  const { name, description } = linked.element;
  rules.set(name, { id: name, description });
  return [...rules.values()];
}

/** What explains a result that no table decided. */
type WithoutRow = Pick<LogicDecision, "hits" | "explanation">;

function withoutRowOf({ element: { name } }: Linked): WithoutRow {
  const explanation = `Decision ${JSON.stringify(name)}`;
  return { hits: [{ ruleId: name, explanation }], explanation };
}

function evaluate(
  contract: Contract,
  withoutRow: WithoutRow,
  input: unknown,
  profile: unknown,
  context: LogicContext,
): LogicDecision {
  const { linked, program, limits, wrapper } = contract;
  const run = new Run(context.now, limits);
  const inputs = valuesOf(contract.inputs, input, program, run);
  const given =
    contract.profile.size === 0 ? inputs : [...inputs, ...valuesOf(contract.profile, profile, program, run)];
  const value = run.enter(1, () => resultOf(linked, given, program, run));
  const json = toJson(value, run);
  if (run.warnings.length > 0) contract.warn(run.warnings, context);
  const emitted = wrapper === undefined ? json : { [wrapper]: json };
  if (run.hits.length === 0) return { emitted, ...withoutRow };
  const { name } = linked.element;
  const own = run.hits.filter((hit) => hit.startsWith(`${name}/`));
  const hits = [...new Set([...own, ...run.hits])];
  return {
    emitted,
    hits: hits.map((ruleId) => ({ ruleId, explanation: `Row ${JSON.stringify(ruleId)} matches` })),
    explanation: explanationOf(name, hits),
  };
}

const mostNamed = 10;

function explanationOf(name: string, hits: readonly string[]): string {
  const named = hits.slice(0, mostNamed).map((hit) => JSON.stringify(hit));
  const others = hits.length - named.length;
  return `Decision ${JSON.stringify(name)}: rows ${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

function resultOf(
  linked: Linked,
  given: readonly (readonly [Linked, FeelValue])[],
  program: ModelProgram,
  run: Run,
): FeelValue {
  if (linked.element.kind !== "service") return program.evaluate(linked, new State(given), run);
  const service = program.evaluate(linked, new State([]), run);
  const values = new Map(given);
  const args = program.parametersOf(linked).map((parameter) => values.get(parameter) ?? null);
  return service instanceof FeelFunction ? service.call(args, run) : null;
}

function valuesOf(
  names: ReadonlyMap<string, Linked>,
  json: unknown,
  program: ModelProgram,
  run: Run,
): readonly (readonly [Linked, FeelValue])[] {
  if (names.size === 0 || !isJsonObject(json)) return [];
  // What the schema has accepted has no issues.
  const reading = { run, issues: [] };
  const values: (readonly [Linked, FeelValue])[] = [];
  for (const [name, linked] of names) {
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    values.push([linked, value === undefined ? null : fromJson(value, program.typeOf(linked), "", reading)]);
  }
  return values;
}
