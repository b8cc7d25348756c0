import type { Call, Flip } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { evaluateCall, isSameJson, isThenable, outcomeOf } from "@decern/core/tools";

/** Where a field is: names of properties and indices of lists. */
export type Path = readonly (string | number)[];

/** A path as a JSON Pointer. */
export function pointerOf(path: Path): string {
  return path.map((token) => `/${escapePointer(String(token))}`).join("");
}

/**
 * A copy of a value with one field replaced. What does not lead to the field is shared with the original.
 *
 * @param value - `undefined` leaves the field out
 */
function replaceAt(root: unknown, path: Path, value: unknown): unknown {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  if (Array.isArray(root)) {
    const list: unknown[] = [...root];
    if (typeof token === "number") list[token] = replaceAt(list[token], rest, value);
    return list;
  }
  if (!isJsonObject(root) || typeof token === "number") return root;
  const inner = replaceAt(Object.hasOwn(root, token) ? root[token] : undefined, rest, value);
  const members = Object.entries(root).filter(([name]) => name !== token);
  if (inner === undefined) return Object.fromEntries(members);
  // The order of properties stays, since the rules may see it. `fromEntries` defines `__proto__` like any other name.
  if (!Object.hasOwn(root, token)) return Object.fromEntries([...members, [token, inner]]);
  return Object.fromEntries(Object.entries(root).map(([name, old]) => [name, name === token ? inner : old]));
}

/** How a call ended with one value of one field. */
export interface Answer {
  /** Of an envelope, or `ERROR`. */
  readonly status: string;
  readonly rule: string | undefined;
  readonly explanation: string | undefined;
  readonly data: unknown;
  readonly changesRule: boolean;
  readonly changesOutput: boolean;
}

/** Evaluates one call with one field changed, again and again, within a budget. */
export class Trials {
  readonly #call: Call;
  readonly #original: Omit<Answer, "changesRule" | "changesOutput">;
  readonly #budget: number;
  #spent = 1;
  /** What validation makes of the input as it is. */
  #valid: { readonly value: unknown } | undefined;

  /**
   * @param original - how the call ended as it is
   * @param budget - evaluations, that of the call as it is included
   */
  constructor(call: Call, original: ReturnType<typeof outcomeOf>, budget: number) {
    this.#call = call;
    this.#original = read(original);
    this.#budget = budget;
  }

  /**
   * Whether the input with another value of a field is valid, and validation returns it as it is: what a program compares is then
   * what a caller sends. It costs no evaluation.
   */
  keeps(path: Path, value: unknown): boolean {
    this.#valid ??= this.#validated(this.#call.input);
    const changed = this.#validated(replaceAt(this.#call.input, path, value));
    return changed !== undefined && isSameJson(changed.value, replaceAt(this.#valid?.value, path, value));
  }

  #validated(input: unknown): { readonly value: unknown } | undefined {
    try {
      const result = this.#call.decision.inputSchema["~standard"].validate(input);
      if (!isThenable(result)) return result.issues === undefined ? result : undefined;
      Promise.resolve(result).catch(() => {});
    } catch {
      // An evaluation shows what a schema throws.
    }
    return undefined;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return this.#budget - this.#spent;
  }

  /** @param value - `undefined` leaves the field out */
  evaluate(path: Path, value: unknown): Answer {
    this.#spent += 1;
    const input = replaceAt(this.#call.input, path, value);
    const again = evaluateCall({ ...this.#call, input });
    const answer = read(outcomeOf(this.#call.decision, again));
    const original = this.#original;
    return {
      ...answer,
      changesRule: answer.status !== original.status || answer.rule !== original.rule,
      changesOutput: !isSameJson(answer.data, original.data),
    };
  }
}

/** Whether a result differs from that of the call as it is. A refusal or an error isn't a result. */
export function isFlip(answer: Answer): boolean {
  return isAnswer(answer) && (answer.changesRule || answer.changesOutput);
}

/** As {@link isFlip}, for another rule. */
export function isRuleFlip(answer: Answer): boolean {
  return isAnswer(answer) && answer.changesRule;
}

function isAnswer({ status }: Answer): boolean {
  return status === "OK" || status === "NO_MATCH";
}

function read({
  envelope,
  error,
}: ReturnType<typeof outcomeOf>): Omit<Answer, "changesRule" | "changesOutput"> {
  if (error !== undefined || !isJsonObject(envelope))
    return { status: "ERROR", rule: undefined, explanation: undefined, data: undefined };
  const meta = isJsonObject(envelope["meta"]) ? envelope["meta"] : {};
  return {
    status: textOf(envelope["status"]) ?? "ERROR",
    rule: textOf(meta["matchedRule"]),
    explanation: textOf(meta["explanation"]),
    data: envelope["data"],
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** @param to - `undefined` leaves the field out */
export function flipOf(to: unknown, answer: Answer, isNearest: boolean): Flip {
  const { status, rule, explanation, data, changesRule, changesOutput } = answer;
  return {
    ...(to === undefined ? {} : { to }),
    status: status === "OK" ? "OK" : "NO_MATCH",
    ...(rule === undefined ? {} : { matchedRule: rule }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(data === undefined ? {} : { data }),
    changesRule,
    changesOutput,
    isNearest,
  };
}
