import { type Call, type Decision, type DecisionRecord, type JsonSchema, toJsonSchema } from "@decern/core";
import { isJsonObject, listOf, pointerTokens, schemaNodes } from "@decern/core/schema";
import { canonicalForm, evaluateCall, withInputView } from "@decern/core/tools";

/** An evaluation of what is left of a record. */
interface Rerun {
  readonly ended: ReturnType<typeof evaluateCall>;
  /** Whether a rule may need what was masked. */
  readonly isInconclusive: boolean;
}

/** What is masked below one place, by name; `true` is masked itself. */
type Mask = Map<string, Mask | true>;

/**
 * Evaluates a record's call again, and watches whether a rule looks at something that was masked. Where none does, the outcome
 * is the one that the whole call would have.
 *
 * @param recorded - the version that the record was made by. Absent where it is not served any more
 */
export function evaluateMasked(
  { masked, status }: Pick<DecisionRecord, "masked" | "status">,
  call: Call,
  recorded: Decision | undefined,
): Rerun {
  if (masked.length === 0) return { ended: evaluateCall(call), isInconclusive: false };
  const unknown = { ended: evaluateCall(call), isInconclusive: true };
  // Only the input's own masks can be watched. Those of explanations and of decisions that were used decide nothing.
  const places = masked
    .filter((pointer) => pointer.startsWith("/input/"))
    .map((pointer) => pointerTokens(pointer).slice(1));
  const others = masked.filter(
    (pointer) => !/^\/(?:input\/|used\/|result\/meta\/(?:explanation$|evaluatedRules\/))/.test(pointer),
  );
  if (others.length > 0) return unknown;
  if (places.length === 0) return { ...unknown, isInconclusive: false };
  // The masked value was valid for the recorded schema, which says nothing of a different one.
  const schema = jsonSchemaOf(call.decision);
  if (status === "INVALID_INPUT" || schema === undefined || recorded === undefined) return unknown;
  if (canonicalForm(schema) !== canonicalForm(jsonSchemaOf(recorded))) return unknown;
  const isWhole = unknown.ended.result?.status !== "INVALID_INPUT";
  const input = isWhole ? call.input : filled(call.input, places, schema);
  const explained = watch({ ...call, input }, places, schema, true);
  // An explanation decides nothing, but it must not quote what only stands for the masked value.
  const decides = explained.touched && isWhole ? watch({ ...call, input }, places, schema, false) : explained;
  if (decides.touched || decides.ended.error !== undefined) return unknown;
  if (decides.ended.result.status === "INVALID_INPUT") return unknown;
  return { ended: isWhole ? unknown.ended : explained.ended, isInconclusive: false };
}

function jsonSchemaOf({ inputSchema }: Decision): JsonSchema | undefined {
  try {
    return toJsonSchema(inputSchema);
  } catch {
    return undefined;
  }
}

interface Watched {
  readonly ended: ReturnType<typeof evaluateCall>;
  /** Whether rules saw something masked, or may have: the schema does not pass its input on as it is. */
  readonly touched: boolean;
}

function watch(
  call: Call,
  places: readonly (readonly string[])[],
  schema: JsonSchema,
  explains: boolean,
): Watched {
  let touched = false;
  const touch = (): void => {
    touched = true;
  };
  const mask = maskOf(places);
  const defaults = new Set<string>();
  collectDefaults(schema, defaults);
  const decision = withInputView(
    call.decision,
    (input) => {
      if (!isPassedOn(call.input, input, mask, defaults)) touch();
      return guarded(input, mask, touch);
    },
    explains,
  );
  // A copy, because a schema may pass on the very input, and what watches it is put into it.
  return { ended: evaluateCall({ ...call, input: structuredClone(call.input), decision }), touched };
}

function maskOf(places: readonly (readonly string[])[]): Mask {
  const root: Mask = new Map();
  for (const place of places) {
    let at = root;
    for (const [index, token] of place.entries()) {
      const below = at.get(token);
      if (below === true) break;
      if (index === place.length - 1) at.set(token, true);
      else if (below !== undefined) at = below;
      else {
        const next: Mask = new Map();
        at.set(token, next);
        at = next;
      }
    }
  }
  return root;
}

/** A view of a value, which is the evaluation's own, that tells when somebody looks at what is masked. Listing the names tells whether it is there. */
function guarded<Value>(value: Value, mask: Mask, touch: () => void): Value {
  if (typeof value !== "object" || value === null) return value;
  const look = (name: PropertyKey): void => {
    if (typeof name === "string" && mask.get(name) === true) touch();
  };
  for (const [name, below] of mask) {
    if (below === true || !Object.hasOwn(value, name)) continue;
    // What cannot be watched counts as looked at.
    if (!Reflect.set(value, name, guarded(Reflect.get(value, name), below, touch))) touch();
  }
  return new Proxy(value, {
    get: (object, name) => {
      look(name);
      return Reflect.get(object, name);
    },
    has: (object, name) => {
      look(name);
      return Reflect.has(object, name);
    },
    getOwnPropertyDescriptor: (object, name) => {
      look(name);
      return Reflect.getOwnPropertyDescriptor(object, name);
    },
    ownKeys: (object) => {
      if ([...mask.values()].includes(true)) touch();
      return Reflect.ownKeys(object);
    },
  });
}

/** Whether a schema passed a value on as it is, but for masked places and its defaults: a masked value may hide in anything else. */
function isPassedOn(given: unknown, passed: unknown, mask: Mask, defaults: ReadonlySet<string>): boolean {
  if (given === passed) return true;
  if (typeof given !== "object" || given === null || typeof passed !== "object" || passed === null)
    return false;
  if (Array.isArray(given) !== Array.isArray(passed)) return false;
  const prototype: unknown = Object.getPrototypeOf(passed);
  if (!Array.isArray(passed) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.entries(passed).every(([name, value]) => {
    const below = mask.get(name);
    if (below === true || value === undefined) return true;
    if (Object.hasOwn(given, name))
      return isPassedOn(Reflect.get(given, name), value, below ?? new Map(), defaults);
    return defaults.has(`${name}\n${canonicalForm(value) ?? "?"}`);
  });
}

/** The defaults of a schema, each with the name of its property. */
function collectDefaults(node: unknown, found: Set<string>): void {
  if (typeof node !== "object" || node === null) return;
  for (const [name, member] of Object.entries(node)) {
    if (isJsonObject(member) && "default" in member)
      found.add(`${name}\n${canonicalForm(member["default"]) ?? "?"}`);
    collectDefaults(member, found);
  }
}

/** A copy with something in each masked place, so that it may be valid. */
function filled(input: unknown, places: readonly (readonly string[])[], schema: JsonSchema): unknown {
  return places.reduce((value, place) => putAt(value, place, schema, schema), input);
}

function putAt(
  value: unknown,
  [token, ...rest]: readonly string[],
  node: unknown,
  root: JsonSchema,
): unknown {
  const nodes = schemaNodes(node, root);
  if (token === undefined) return value === undefined ? standIn(nodes) : value;
  const below = {
    anyOf: nodes.flatMap(({ properties, items, additionalProperties }) => {
      const property =
        isJsonObject(properties) && Object.hasOwn(properties, token) ? properties[token] : undefined;
      return [property ?? items ?? additionalProperties].filter(isJsonObject);
    }),
  };
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === token ? putAt(item, rest, below, root) : item));
  if (!isJsonObject(value)) return value;
  const inner = putAt(Object.hasOwn(value, token) ? value[token] : undefined, rest, below, root);
  return Object.fromEntries([...Object.entries(value).filter(([name]) => name !== token), [token, inner]]);
}

/** A value that a schema allows, as far as it is easily found. */
function standIn(nodes: readonly JsonSchema[]): unknown {
  for (const node of nodes) {
    const [example = node["default"] ?? node["const"]] = [
      ...listOf(node["examples"]),
      ...listOf(node["enum"]),
    ];
    if (example !== undefined) return example;
    switch (node["type"]) {
      case "string":
        return "a".repeat(typeof node["minLength"] === "number" ? node["minLength"] : 1);
      case "number":
      case "integer":
        return node["minimum"] ?? 1;
      case "boolean":
        return false;
      case "array":
        return [];
      case "object": {
        const { properties, required } = node;
        const names = listOf(required).filter((name) => typeof name === "string");
        return Object.fromEntries(
          names.map((name) => [
            name,
            isJsonObject(properties) ? standIn([properties[name]].filter(isJsonObject)) : null,
          ]),
        );
      }
    }
  }
  return null;
}
