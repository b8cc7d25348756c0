import { type Decision, type JsonSchema, toJsonSchema } from "@decern/core";
import {
  copyJson,
  isJsonObject,
  listOf,
  memberOf,
  pointerTokens,
  schemaNodes,
  TextPattern,
} from "@decern/core/schema";
import { canonicalForm, WatchedDecision } from "@decern/core/tools";

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

/** What the JSON Schema of an input says. */
export interface InputSchema {
  readonly json: JsonSchema;
  /** Two schemas with the same text accept the same inputs; absent if the vendor can't write it. */
  readonly text: string | undefined;
}

export function readSchema(schema: Decision["inputSchema"]): InputSchema {
  try {
    const json = toJsonSchema(schema);
    return { json, text: canonicalForm(json) };
  } catch {
    return { json: {}, text: undefined };
  }
}

/**
 * Values that can stand at a masked place while an input is validated. Usually some of them are valid, and no rule sees them: an
 * evaluation that reads one is dropped. Without them the schema could not fill in its defaults.
 */
export function standInsAt(root: JsonSchema, tokens: Tokens): readonly unknown[] {
  let places: readonly unknown[] = [root];
  for (const token of tokens) {
    const nodes = places.flatMap((place) => schemaNodes(place, root)).slice(0, maxNodes);
    places = nodes.flatMap((node) => below(node, token));
  }
  const values = places.flatMap((place) => valuesOf(place, root));
  return values.length > 0 ? values : ["masked", 0, true, null, {}, []];
}

const maxNodes = 20;

const deepest = 6;

/** The schemas that a member or an item may follow. */
function below(node: JsonSchema, token: string): readonly unknown[] {
  const { items, prefixItems, additionalItems, additionalProperties, patternProperties } = node;
  const tuple: unknown = Array.isArray(prefixItems) ? prefixItems : items;
  const item: unknown = Array.isArray(tuple) ? (tuple[Number(token)] ?? additionalItems ?? items) : tuple;
  const property = memberOf(node["properties"], token);
  const named = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  return [...(property === undefined ? [additionalProperties, ...named] : [property]), item];
}

function valuesOf(schema: unknown, root: JsonSchema, depth = 0): readonly unknown[] {
  if (depth > deepest) return [];
  return schemaNodes(schema, root)
    .slice(0, maxNodes)
    .flatMap((node) => {
      if ("const" in node) return [node["const"]];
      const listed = listOf(node["enum"]).slice(0, 2);
      const standard = "default" in node ? [node["default"]] : [];
      const named = [...listed, ...standard, ...listOf(node["examples"]).slice(0, 2)];
      if (listed.length > 0) return named;
      const types = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
      return [...named, ...types.flatMap((type: unknown) => made(type, node, root, depth))];
    });
}

function made(type: unknown, node: JsonSchema, root: JsonSchema, depth: number): readonly unknown[] {
  if (type === "string") return texts(node);
  if (type === "integer" || type === "number") return numbers(node);
  if (type === "boolean") return [false, true];
  if (type === "null") return [null];
  if (type === "array") {
    const least = numberOf(node["minItems"], 0);
    const [item] = valuesOf(node["items"], root, depth + 1);
    if (least > 1000 || (least > 0 && item === undefined)) return [];
    return [Array.from({ length: least }, () => item)];
  }
  if (type !== "object") return [];
  const members = listOf(node["required"]).flatMap((name) => {
    const [value] = valuesOf(memberOf(node["properties"], String(name)), root, depth + 1);
    return value === undefined ? [] : [[String(name), value] as const];
  });
  return [Object.fromEntries(members)];
}

/** A text of each format. */
const formats: Readonly<Record<string, string>> = {
  date: "2000-01-01",
  "date-time": "2000-01-01T00:00:00Z",
  time: "00:00:00Z",
  duration: "P1D",
  email: "masked@example.org",
  "idn-email": "masked@example.org",
  hostname: "example.org",
  uri: "https://example.org/",
  url: "https://example.org/",
  "uri-reference": "/masked",
  uuid: "00000000-0000-4000-8000-000000000000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

const longestText = 1000;

function texts({ format, pattern, minLength, maxLength }: JsonSchema): readonly string[] {
  const least = Math.min(numberOf(minLength, 0), 10_000);
  const most = Math.max(least, Math.min(numberOf(maxLength, 6), 6));
  const made =
    typeof pattern === "string"
      ? [0, 1, least].map((count) => new TextPattern(pattern, plainChoices(count), longestText).sample())
      : ["masked".padEnd(least, "x").slice(0, most)];
  const known = memberOf(formats, String(format));
  return typeof known === "string" ? [known, ...made] : made;
}

/** Letters and digits where a pattern allows them, and everything as near to `count` times as it allows. */
function plainChoices(count: number): ConstructorParameters<typeof TextPattern>[1] {
  return {
    pick: (from) => from.find((text) => /[A-Za-z0-9]/.test(text)) ?? from[0],
    times: (least, most) => Math.min(most, Math.max(least, count)),
  };
}

/** Numbers at and just inside of the bounds. */
function numbers(node: JsonSchema): readonly number[] {
  const lowest = numberOf(node["minimum"], numberOf(node["exclusiveMinimum"], Number.NEGATIVE_INFINITY));
  const highest = numberOf(node["maximum"], numberOf(node["exclusiveMaximum"], Number.POSITIVE_INFINITY));
  const step = numberOf(node["multipleOf"], 1);
  const inside = [
    ...[lowest, Math.ceil(lowest / step) * step, (Math.floor(lowest / step) + 1) * step],
    ...[highest, Math.floor(highest / step) * step, (Math.ceil(highest / step) - 1) * step],
    (lowest + highest) / 2,
  ];
  return [0, 1, ...inside].filter(
    (value) =>
      Number.isFinite(value) &&
      value >= lowest &&
      value <= highest &&
      value !== node["exclusiveMinimum"] &&
      value !== node["exclusiveMaximum"],
  );
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
