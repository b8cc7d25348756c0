import { DecernError, type Decision } from "@decern/core";
import {
  checkedOptions,
  decisionKind,
  type Kind,
  kinds,
  option,
  type RowsOf,
  requiredOption,
} from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import { isDecision } from "@decern/core/tools";

/** A flag's value, as a decision gives it. */
export interface Flag {
  /** Absent where the default that the application's code gives is to apply. */
  readonly value?: boolean | string | number | Readonly<Record<string, unknown>> | undefined;
  /** The name of that value. @default the rule that matched */
  readonly variant?: string | undefined;
}

/**
 * Reads an output as a flag: a boolean, a text or a number is its value; of an object the members `value` and `variant`, where
 * it has a `value`; any other object is itself the value.
 */
export function readOutput(data: unknown): Flag {
  if (!isJsonObject(data) || !Object.hasOwn(data, "value")) return readFlag({ value: data });
  return readFlag({ value: data["value"], variant: data["variant"] });
}

/**
 * Checks what is to be a flag.
 *
 * @throws DecernError `INTERNAL_ERROR` for what OpenFeature has no type for
 */
export function readFlag(given: unknown): Flag {
  if (!isJsonObject(given)) throw noFlag("toFlag must return an object");
  const { value, variant } = given;
  if (variant !== undefined && typeof variant !== "string") throw noFlag("a variant must be a string");
  if (value === undefined) return { variant };
  if (typeof value === "boolean" || typeof value === "string" || isJsonObject(value))
    return { value, variant };
  if (typeof value === "number" && Number.isFinite(value)) return { value, variant };
  throw noFlag("a flag must be a boolean, a string, a number or an object");
}

function noFlag(detail: string): DecernError {
  return new DecernError("INTERNAL_ERROR", { detail });
}

/** What an application says of the user that a flag is evaluated for. */
export interface EvaluationContext {
  readonly targetingKey?: unknown;
  readonly [attribute: string]: unknown;
}

/** One flag. */
export interface FlagOptions {
  /** Decides it. The host must serve it too. */
  readonly decision: Decision;
  /** @default the id of the decision */
  readonly key?: string | undefined;
  /** Returns the decision's input. @default that of all flags */
  readonly toInput?: ((context: EvaluationContext) => unknown) | undefined;
  /** Reads the decision's output as a flag. @default an output that is a value, or an object with `value` and `variant` */
  readonly toFlag?: ((data: unknown) => Flag) | undefined;
  /**
   * The flag if no rule matches. `@openfeature/ofrep-provider` treats a response without a value as an error.
   * @default no value, so that the application's default applies
   */
  readonly noMatch?: Flag | undefined;
}

/** Options of `ofrep`. */
export interface OfrepOptions {
  /** A decision alone is a flag whose key is its id. */
  readonly flags: readonly (Decision | FlagOptions)[];
  /** Returns the input of a flag's decision. @default the context as it was sent */
  readonly toInput?: ((context: EvaluationContext) => unknown) | undefined;
}

/** A flag with everything filled in. */
export interface FlagDefinition {
  readonly key: string;
  readonly decision: Decision;
  readonly toInput: (context: EvaluationContext) => unknown;
  readonly toFlag: ((data: unknown) => unknown) | undefined;
  readonly noMatch: Flag;
}

const noMatch: Kind<Flag> = (value, path) => {
  try {
    readFlag(value);
    return [];
  } catch {
    return [
      { path, message: "must be { value, variant? }, with a boolean, string, number or object as value" },
    ];
  }
};

const toInput = option(kinds.callback<(context: EvaluationContext) => unknown>());

const flagGroup = kinds.group({
  decision: requiredOption(decisionKind),
  key: option(kinds.nonEmptyText),
  toInput,
  toFlag: option(kinds.callback<(data: unknown) => Flag>()),
  noMatch: option(noMatch),
} satisfies RowsOf<FlagOptions>);

const flag: Kind<Decision | FlagOptions> = (value, path) => (isDecision(value) ? [] : flagGroup(value, path));

const flagList = kinds.listOf(flag, { nonEmpty: true });

const flags: Kind<readonly (Decision | FlagOptions)[]> = (value, path) => {
  const problems = flagList(value, path);
  if (problems.length > 0 || !Array.isArray(value)) return problems;
  const seen = new Set<unknown>();
  return value.flatMap((one: FlagOptions | Decision, index) => {
    const key = keyOf(one);
    if (seen.has(key))
      return [{ path: `${path}/${index}`, message: `has the key of an earlier flag, "${key}"` }];
    seen.add(key);
    return [];
  });
};

const rows = { flags: requiredOption(flags), toInput } satisfies RowsOf<OfrepOptions>;

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function readOptions(options: OfrepOptions): readonly FlagDefinition[] {
  const { flags, toInput = asSent } = checkedOptions("ofrep", options, rows);
  return flags.map((one) =>
    isDecision(one)
      ? { key: one.id, decision: one, toInput, toFlag: undefined, noMatch: {} }
      : {
          key: keyOf(one),
          decision: one.decision,
          toInput: one.toInput ?? toInput,
          toFlag: one.toFlag,
          noMatch: readFlag(one.noMatch ?? {}),
        },
  );
}

function keyOf(flag: Decision | FlagOptions): string {
  return isDecision(flag) ? flag.id : (flag.key ?? flag.decision.id);
}

function asSent(context: EvaluationContext): unknown {
  return context;
}
