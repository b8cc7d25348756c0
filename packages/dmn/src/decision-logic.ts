import type { BoundLogic, Logic, LogicContent, LogicContext, LogicDecision, LogicRule } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { rowId } from "./boxed/nested-tables.js";
import { fromAccepted, toJson } from "./contract/json-values.js";
import { type Linked, referenceOf } from "./graph/link.js";
import { type ModelProgram, State } from "./graph/program.js";
import { tablesOf } from "./graph/tables.js";
import { LimitError, type Limits, Run, type Warning } from "./values/run.js";
import { FeelFunction, type Type } from "./values/value.js";

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
  const fields = {
    inputs: fieldsOf(contract.inputs, contract.program),
    profile: fieldsOf(contract.profile, contract.program),
  };
  return {
    content,
    rules,
    from,
    bind(profile): BoundLogic {
      const decide = (input: unknown, context: LogicContext) =>
        evaluate(contract, fields, withoutRow, input, profile, context);
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
  fields: Fields,
  withoutRow: WithoutRow,
  input: unknown,
  profile: unknown,
  context: LogicContext,
): LogicDecision {
  const { linked, program, limits, wrapper } = contract;
  const run = new Run(context, limits);
  const state = new State();
  addValues(state, fields.inputs, input, run);
  addValues(state, fields.profile, profile, run);
  const value = run.enter(1, () => program.resultOf(linked, state, run));
  const json = toJson(value, run);
  if (run.warnings.length > 0) contract.warn(run.warnings, context);
  const emitted = wrapper === undefined ? json : { [wrapper]: json };
  const parts = () => partsOf(contract, state, context);
  if (run.hits.length === 0) return { emitted, parts, ...withoutRow };
  const rows = run.hits.length === 1 ? run.hits : ownFirst(linked.element.name, run.hits);
  const quoted = rows.map((row) => JSON.stringify(row));
  return {
    emitted,
    parts,
    hits: rows.map((ruleId, index) => ({ ruleId, explanation: `Row ${quoted[index]} matches` })),
    explanation: explanationOf(withoutRow.explanation, quoted),
  };
}

/** Each row once. */
function ownFirst(name: string, hits: readonly string[]): readonly string[] {
  const own = hits.filter((hit) => hit.startsWith(`${name}/`));
  return [...new Set([...own, ...hits])];
}

const mostNamed = 10;

function explanationOf(decision: string, rows: readonly string[]): string {
  const named = rows.slice(0, mostNamed);
  const others = rows.length - named.length;
  return `${decision}: rows ${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** What elements came to, by their references; without functions, and without what crosses a limit as JSON. */
function partsOf(
  { program, limits }: Contract,
  state: State,
  context: LogicContext,
): Readonly<Record<string, unknown>> {
  const run = new Run(context, limits);
  const parts = program.elements.flatMap((linked): readonly (readonly [string, unknown])[] => {
    const value = state.get(linked);
    if (value === undefined || value instanceof FeelFunction) return [];
    try {
      return [[referenceOf(linked), toJson(value, run)]];
    } catch (error) {
      if (error instanceof LimitError) return [];
      throw error;
    }
  });
  return Object.fromEntries(parts);
}

/** A member of the input or the profile. */
interface Field {
  readonly name: string;
  readonly linked: Linked;
  readonly type: Type;
}

interface Fields {
  readonly inputs: readonly Field[];
  readonly profile: readonly Field[];
}

function fieldsOf(names: ReadonlyMap<string, Linked>, program: ModelProgram): readonly Field[] {
  return [...names].map(([name, linked]) => ({ name, linked, type: program.typeOf(linked) }));
}

function addValues(state: State, fields: readonly Field[], json: unknown, run: Run): void {
  if (!isJsonObject(json)) return;
  for (const { name, linked, type } of fields) {
    // The schema allows only members that may be anything to be missing.
    const value = type.kind !== "any" || Object.hasOwn(json, name) ? json[name] : undefined;
    state.set(linked, value === undefined ? null : fromAccepted(value, type, run));
  }
}
