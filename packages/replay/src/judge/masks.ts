import { pointerTokens } from "@decern/core/schema";
import { WatchedDecision } from "@decern/core/tools";

/** Names and indexes that lead to a place. */
export type Tokens = readonly string[];

/** The masked places of a payload, by its members. Empty tokens stand for a whole member. */
export interface MaskedPlaces {
  /** Absent where nothing of the input is masked. */
  readonly input: MaskedInput | undefined;
  /** In the envelope. */
  readonly result: readonly Tokens[];
  readonly error: readonly Tokens[];
  readonly hasMaskedData: boolean;
  readonly hasMaskedExplanation: boolean;
  readonly hasMaskedProfile: boolean;
  /** Whether a used decision's version or profile is masked. */
  readonly hasMaskedUse: boolean;
}

/** The masked places of an input. */
export interface MaskedInput extends ReturnType<typeof WatchedDecision.maskOf> {
  readonly places: readonly Tokens[];
}

/** @param masked - pointers into a payload, as records list them */
export function readPlaces(masked: readonly string[]): MaskedPlaces {
  const all = masked.map(pointerTokens);
  const within = (name: string): readonly Tokens[] =>
    all.filter(([first]) => first === name).map((tokens) => tokens.slice(1));
  const [input, result] = [within("input"), within("result")];
  return {
    input: input.length === 0 ? undefined : { ...WatchedDecision.maskOf(input), places: input },
    result,
    error: within("error"),
    hasMaskedData: result.some(([first]) => first === undefined || first === "data"),
    hasMaskedExplanation: result.some(([first]) => first !== "data"),
    hasMaskedProfile: within("profile").length > 0,
    // Only a part of a result can be missed.
    hasMaskedUse: within("used").some((tokens) => !tokens.includes("result")),
  };
}

/** What tokens lead to in JSON; `undefined` for nothing. */
export function valueAt(json: unknown, tokens: Tokens): unknown {
  let value = json;
  for (const token of tokens) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return undefined;
    if (Array.isArray(value) && token === "length") return undefined;
    value = Reflect.get(value, token);
  }
  return value;
}

/** Writes a value to where tokens lead, if what holds it is there. */
export function putAt(json: unknown, tokens: Tokens, value: unknown): void {
  const name = tokens.at(-1);
  const holder = valueAt(json, tokens.slice(0, -1));
  if (name === undefined || typeof holder !== "object" || holder === null) return;
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Copies what `JSON.parse` returns: a small input in an eighth of the time that a copy of any data takes. */
export function copyJson(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(copyJson);
  const copy: Record<string, unknown> = { ...json };
  for (const key in copy) {
    const member = copy[key];
    // Most members are not objects. An own `__proto__` stays one.
    if (typeof member === "object" && member !== null) Reflect.set(copy, key, copyJson(member));
  }
  return copy;
}

/** A copy without masked values, as masks remove them; `undefined` if all of it is masked. */
export function without(json: unknown, places: readonly Tokens[] = []): unknown {
  if (places.length === 0 || json === undefined) return json;
  if (places.some((tokens) => tokens.length === 0)) return undefined;
  const copy = copyJson(json);
  for (const tokens of places) {
    const name = tokens.at(-1) ?? "";
    const holder = valueAt(copy, tokens.slice(0, -1));
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) continue;
    // Other items keep their indexes.
    if (Array.isArray(holder)) holder[Number(name)] = null;
    else Reflect.deleteProperty(holder, name);
  }
  return copy;
}
