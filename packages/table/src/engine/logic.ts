import type {
  BoundLogic,
  Logic,
  LogicContent,
  LogicContext,
  LogicDecision,
  LogicHit,
  LogicRule,
  LogicThreshold,
} from "@decern/core";
import { escapePointer } from "@decern/core/schema";
import type { Endpoint } from "../cells/condition.js";
import { defaultId, isListPolicy } from "../document/document.js";
import type { TableModel } from "../model.js";
import { axisOf } from "./axis.js";
import { type Dimension, dimensionsOf } from "./dimensions.js";
import { rawValue } from "./field-value.js";
import { IndexMatcher } from "./index-matcher.js";
import { type Matcher, RowMatcher } from "./matcher.js";
import { Outputs, type Policy, policyNames, policyOf } from "./policies.js";
import { valueSetOf } from "./value-set.js";

/** Below, closures are faster than an index. */
const fewRows = 24;

/** Inputs for tests, under a profile. */
type WitnessesOf = (profile: unknown, now: Date, logic: BoundLogic) => Iterable<unknown>;

/** A table as core evaluates it. The index is built here, and not when a profile is bound. */
export function logicOf(model: TableModel, content: LogicContent, witnessesOf?: WitnessesOf): Logic {
  const table = new Table(model);
  const bind = (profile: unknown): BoundLogic => {
    const logic = table.bind(profile);
    // Not in a copy, which would compute the thresholds.
    return witnessesOf === undefined
      ? logic
      : Object.assign(logic, { witnesses: (now: Date) => witnessesOf(profile, now, logic) });
  };
  return { content, rules: table.rules, bind };
}

class Table {
  readonly rules: readonly LogicRule[];
  readonly #model: TableModel;
  readonly #dimensions: readonly Dimension[];
  readonly #matcher: Matcher;
  readonly #policy: Policy;
  readonly #outputs: Outputs;
  /** Per row, once it was hit. */
  readonly #hits: (LogicHit | undefined)[];
  /** Per row: the explanation of a decision that it made alone. */
  readonly #alone: (string | undefined)[];
  readonly #default: LogicHit;
  readonly #policyText: string;

  constructor(model: TableModel) {
    const { rows, document, hitPolicy } = model;
    this.#model = model;
    this.#dimensions = dimensionsOf(model);
    this.#matcher =
      rows.length < fewRows
        ? new RowMatcher(this.#dimensions, rows.length)
        : new IndexMatcher(this.#dimensions, rows.length);
    this.#outputs = new Outputs(model);
    this.#policy = policyOf(model, this.#outputs);
    this.#policyText = `Policy ${hitPolicy} (${policyNames[hitPolicy]})`;
    this.#hits = rows.map(() => undefined);
    this.#alone = rows.map(() => undefined);
    this.#default = { ruleId: defaultId, explanation: "No row matches, so the default applies" };
    this.rules = [
      ...rows.map(({ id }, row) => ({ id, description: document.rules[row]?.note })),
      ...(model.otherwise === undefined ? [] : [{ id: defaultId, description: "If no row matches" }]),
    ];
  }

  bind(profile: unknown): BoundLogic {
    const thresholds = () => thresholdsOf(this.#model, this.#dimensions, profile);
    let known: ReturnType<typeof thresholds> | undefined;
    return {
      decide: (input, context) => this.#decide(input, profile, context),
      hits: (input, context) => this.#allHits(input, profile, context),
      get thresholds() {
        // Tools read them, evaluations don't.
        known ??= thresholds();
        return known;
      },
    };
  }

  #decide(input: unknown, profile: unknown, context: LogicContext): LogicDecision | undefined {
    const matches = this.#matcher.match(input, profile, context.now.getTime());
    const outcome = this.#policy(matches, input, profile, context);
    if (outcome === undefined) return this.#decideByDefault(input, profile, context);
    const { emitted, rows } = outcome;
    const [only, second] = rows;
    if (only !== undefined && second === undefined) {
      this.#alone[only] ??= `${this.#policyText}: row ${this.#idText(only)}`;
      return { emitted, hits: [this.#hit(only)], explanation: this.#alone[only] };
    }
    const hits: LogicHit[] = [];
    for (const row of rows) hits.push(this.#hit(row));
    return { emitted, hits, explanation: `${this.#policyText}: ${named(hits)}` };
  }

  #hit(row: number): LogicHit {
    this.#hits[row] ??= {
      ruleId: this.#model.rows[row]?.id ?? "",
      explanation: `Row ${this.#idText(row)} matches`,
    };
    return this.#hits[row];
  }

  #idText(row: number): string {
    return JSON.stringify(this.#model.rows[row]?.id ?? "");
  }

  #decideByDefault(input: unknown, profile: unknown, context: LogicContext): LogicDecision | undefined {
    const { otherwise, hitPolicy } = this.#model;
    if (otherwise === undefined) return undefined;
    const values = this.#outputs.object(otherwise.emit(input, profile, context));
    const explanation = `${this.#policyText}: no row matches, so the default applies`;
    return { emitted: isListPolicy(hitPolicy) ? [values] : values, hits: [this.#default], explanation };
  }

  #allHits(input: unknown, profile: unknown, context: LogicContext): readonly LogicHit[] {
    const matches = this.#matcher.match(input, profile, context.now.getTime());
    const hits: LogicHit[] = [];
    for (let row = matches.next(); row !== -1; row = matches.next()) hits.push(this.#hit(row));
    return hits.length === 0 && this.#model.otherwise !== undefined ? [this.#default] : hits;
  }
}

const mostNamed = 10;

function named(hits: readonly LogicHit[]): string {
  const ids = hits.slice(0, mostNamed).map(({ ruleId }) => JSON.stringify(ruleId));
  const others = hits.length - ids.length;
  return `rows ${ids.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** Where the result may change along each field that conditions or outputs read, under a profile. */
function thresholdsOf(
  model: TableModel,
  dimensions: readonly Dimension[],
  profile: unknown,
): readonly LogicThreshold[] {
  const referred = new Set([
    ...dimensions.flatMap(({ conditions }) =>
      conditions.flatMap((condition) => (condition.kind === "any" ? [] : condition.tests.flatMap(inputsOf))),
    ),
    ...model.reads.map(pointerOf),
  ]);
  const pointers = new Map<string, Dimension[]>();
  for (const dimension of dimensions) {
    if (dimension.isTime) continue;
    const pointer = pointerOf(dimension.column.path);
    pointers.set(pointer, [...(pointers.get(pointer) ?? []), dimension]);
  }
  const others = [...referred].filter((path) => !pointers.has(path));
  const columns = [...pointers].flatMap(([path, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const sets = own.flatMap(({ column, conditions }) =>
      conditions.map((condition) => valueSetOf(condition, column, profile)),
    );
    const known = sets.filter((set) => set !== undefined);
    const { type } = first.column;
    return {
      path,
      values: axisOf(first.column, known).marks.map((mark) => rawValue(type, mark)),
      isComplete: known.length === sets.length && !referred.has(path),
    };
  });
  return [...columns, ...others.map((path) => ({ path, values: [], isComplete: false }))];
}

type AnyTest = Extract<Dimension["conditions"][number], { kind: "tests" }>["tests"][number];

function inputsOf(test: AnyTest): readonly string[] {
  const endpoints: readonly Endpoint[] =
    test.kind === "null" ? [] : test.kind === "interval" ? [test.low, test.high] : [test.endpoint];
  return endpoints.flatMap((endpoint) =>
    endpoint.kind === "reference" && endpoint.root === "input" ? [pointerOf(endpoint.path)] : [],
  );
}

function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${escapePointer(name)}`).join("");
}
