import {
  type Decision,
  defineDecision,
  type EvaluationEvent,
  type EvaluatorOptions,
  type Schema,
} from "../../packages/core/src/index.js";
import { throwables as hostile } from "./throwables.js";

function anySchema<T>(json: Record<string, unknown>, accepts: (value: unknown) => boolean): Schema<T, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "suite",
      validate: (value) =>
        accepts(value) ? { value: value as T } : { issues: [{ message: "is invalid", pointer: "" }] },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

function has(value: unknown, key: string, type: string): boolean {
  return (
    typeof value === "object" && value !== null && key in value && typeof Reflect.get(value, key) === type
  );
}

type Verdict = { readonly [name in "allowed" | "granted" | "approved"]?: boolean };

const outputs: Readonly<Record<string, Verdict>> = {
  yes: { allowed: true },
  approved: { approved: true },
  no: { allowed: false },
  mixed: { allowed: true, granted: false },
  silent: {},
  breaks: JSON.parse('{"allowed":"yes"}'),
};

/** An access check that ends as its input's `case` selects. */
export const gate: Decision<unknown, Verdict, { readonly limit?: number }> = defineDecision({
  id: "gate",
  version: "1",
  inputSchema: anySchema<{ readonly case: string }>({ type: "object" }, (value) =>
    has(value, "case", "string"),
  ),
  outputSchema: anySchema<Verdict>(
    { type: "object", properties: { allowed: { type: "boolean" } } },
    (value) =>
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((v) => typeof v === "boolean"),
  ),
  profileSchema: anySchema<{ readonly limit?: number }>(
    { type: "object" },
    (value) =>
      typeof value === "object" && value !== null && (!("limit" in value) || has(value, "limit", "number")),
  ),
  rules: [
    {
      id: "faults",
      when: (input) => {
        if (input.case === "throws") throw new Error("secret of the rule");
        return input.case === "promise" ? JSON.parse('"truthy"') : false;
      },
      emit: () => ({ allowed: true }),
    },
    { id: "known", when: (input) => input.case in outputs, emit: (input) => outputs[input.case] ?? {} },
  ],
});

/** Everything that can be thrown, by name. Some frameworks interpret some of these as "continue". */
const throwables: Readonly<Record<string, unknown>> = {
  error: new Error("secret"),
  "error with status 200": Object.assign(new Error("secret"), { statusCode: 200, status: 200 }),
  undefined: undefined,
  null: null,
  zero: 0,
  "empty text": "",
  false: false,
  true: true,
  route: "route",
  router: "router",
  object: { statusCode: 200, status: 200 },
  "null prototype": Object.create(null),
  symbol: Symbol("secret"),
  "proxy that throws": hostile["a proxy that throws"]?.(),
  "proxy of an error that throws": hostile["a proxy of an error that throws"]?.(),
  "refusal that cannot be read": hostile["a refusal whose message throws"]?.(),
  "error that cannot be read": hostile["an error whose stack throws"]?.(),
};

/** What may happen around one access check. A plan picks one of each. */
export const guardDimensions = {
  input: ["yes", "approved", "no", "mixed", "silent", "breaks", "throws", "promise", "no rule", "invalid"],
  profile: ["none", "fixed", "resolved", "resolved later", "throws", "rejects", "never", "breaks"],
  mapper: ["body", "maps", "maps later", "throws", "rejects", "never", "nonsense"],
  isDenied: ["default", "false", "true", "undefined", "zero", "promise of false", "text", "throws"],
  onDeny: [
    "none",
    "silent",
    "silent later",
    "replies",
    "replies later",
    "replies and throws",
    "throws",
    "rejects",
    "never",
    "nonsense",
  ],
  before: [
    "none",
    "passes",
    "passes later",
    "throws",
    "rejects",
    "never",
    "refuses",
    "makes it yes",
    "makes it no",
    "nonsense",
  ],
  after: ["none", "passes", "throws", "rejects", "never", "writes"],
  onError: ["none", "passes", "throws", "never"],
  observer: ["passes", "throws", "writes"],
  logger: ["quiet", "throws"],
  clock: ["runs", "throws"],
  thrown: Object.keys(throwables),
} as const satisfies Record<string, readonly string[]>;

export type GuardPlan = { readonly [D in keyof typeof guardDimensions]: (typeof guardDimensions)[D][number] };

/** Nothing fails, and access is granted. */
export const plainPlan: GuardPlan = {
  input: "yes",
  profile: "none",
  mapper: "body",
  isDenied: "default",
  onDeny: "none",
  before: "none",
  after: "none",
  onError: "none",
  observer: "passes",
  logger: "quiet",
  clock: "runs",
  thrown: "error",
};

export function inputOf(plan: GuardPlan): unknown {
  return plan.input === "invalid" ? { case: 13 } : { case: plan.input };
}

/** Whether the protected handler may run: the answer is a clear yes. Written from the contract, not from the code. */
export function isClearYes(plan: GuardPlan): boolean {
  if (plan.clock === "throws") return false;
  if (["throws", "rejects", "never"].includes(plan.mapper)) return false;
  if (["throws", "rejects", "never"].includes(plan.profile)) return false;
  if (["throws", "rejects", "never", "refuses", "nonsense"].includes(plan.before)) return false;
  const mapped = plan.mapper === "nonsense" ? "invalid" : plan.input;
  const effective = plan.before === "makes it yes" ? "yes" : plan.before === "makes it no" ? "no" : mapped;
  if (effective !== "invalid" && plan.profile === "breaks") return false;
  if (["breaks", "throws", "promise"].includes(effective)) return false;
  return plan.isDenied === "default" ? ["yes", "approved"].includes(effective) : plan.isDenied === "false";
}

/** Each fault is reported once. Only a failing `afterEvaluate` allows a second fault. */
export function maxErrors(plan: GuardPlan): number {
  return ["throws", "rejects", "never"].includes(plan.after) ? 2 : 1;
}

export interface GuardRecord {
  readonly events: EvaluationEvent[];
  readonly errors: unknown[];
  denials: number;
}

/** Tries to change its argument to a yes. */
function sayYes(...given: readonly unknown[]): void {
  for (const each of given) {
    Object.assign(Object(each), { status: "OK", statusCode: 200 });
    for (const name of ["data", "input"]) {
      const inside: object = Object(Reflect.get(Object(each), name));
      Object.assign(inside, { case: "yes", allowed: true, granted: true });
    }
    Object.assign(Object(each), { data: { allowed: true } });
  }
}

/** The options of a hook or guard that carries out a plan. */
export function planOptions(
  plan: GuardPlan,
  reply: (...args: readonly unknown[]) => unknown,
): { readonly options: EvaluatorOptions & Record<string, unknown>; readonly record: GuardRecord } {
  const record: GuardRecord = { events: [], errors: [], denials: 0 };
  const thrown = throwables[plan.thrown];
  const fail = (): never => {
    throw thrown;
  };
  const callback = (how: string, answer: unknown): (() => unknown) => {
    if (how === "throws") return fail;
    if (how === "rejects") return () => Promise.reject(thrown);
    if (how === "never") return () => new Promise(() => {});
    if (how === "writes") return sayYes;
    return how.endsWith("later") ? async () => answer : () => answer;
  };

  const hooks: Record<string, unknown> = {};
  const patches: Readonly<Record<string, unknown>> = {
    "makes it yes": { input: { case: "yes" } },
    "makes it no": { input: { case: "no" } },
    nonsense: 13,
  };
  const refuse = () => Promise.reject(Object.assign(new Error("secret"), { statusCode: 401 }));
  if (plan.before !== "none") {
    hooks["beforeEvaluate"] =
      plan.before === "refuses" ? refuse : callback(plan.before, patches[plan.before]);
  }
  if (plan.after !== "none") hooks["afterEvaluate"] = callback(plan.after, undefined);
  if (plan.onError !== "none") {
    const answer = callback(plan.onError, undefined);
    hooks["onError"] = (_context: unknown, error: unknown) => {
      record.errors.push(error);
      return answer();
    };
  }

  const options: EvaluatorOptions & Record<string, unknown> = {
    decision: gate,
    hooks,
    hookTimeoutMs: 5,
    observers: [
      {
        onEvaluated: (event) => {
          record.events.push(event);
          if (plan.observer === "throws") fail();
          if (plan.observer === "writes") sayYes(event.context, event.result, event.error);
        },
      },
    ],
    logger: { error: () => (plan.logger === "throws" ? fail() : undefined) },
    clock: { now: () => (plan.clock === "throws" ? fail() : 0), monotonic: () => 0 },
  };
  if (plan.mapper !== "body") {
    options["inputMapper"] = callback(plan.mapper, plan.mapper === "nonsense" ? undefined : inputOf(plan));
  }
  if (plan.profile === "fixed") options["profile"] = { limit: 1 };
  else if (plan.profile !== "none") {
    options["profileResolver"] = callback(plan.profile, { limit: plan.profile === "breaks" ? "1" : 1 });
  }
  const denied: Readonly<Record<string, unknown>> = {
    false: false,
    true: true,
    zero: 0,
    "promise of false": Promise.resolve(false),
    text: "false",
  };
  if (plan.isDenied !== "default") options["isDenied"] = callback(plan.isDenied, denied[plan.isDenied]);
  if (plan.onDeny !== "none") {
    const answer = callback(plan.onDeny, plan.onDeny === "nonsense" ? { allowed: true } : undefined);
    options["onDeny"] = (...args: readonly unknown[]) => {
      record.denials += 1;
      if (plan.onDeny === "replies later") return Promise.resolve().then(() => void reply(...args));
      if (plan.onDeny.startsWith("replies")) void reply(...args);
      return plan.onDeny === "replies and throws" ? fail() : answer();
    };
  }
  return { options, record };
}
