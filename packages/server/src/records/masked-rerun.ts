import { type Call, type Decision, type DecisionRecord, type JsonSchema, toJsonSchema } from "@decern/core";
import { isJsonObject, listOf, pointerTokens, schemaNodes } from "@decern/core/schema";
import { canonicalForm, evaluateCall, WatchedDecision } from "@decern/core/tools";

/** An evaluation of what is left of a record. */
interface Rerun {
  readonly ended: ReturnType<typeof evaluateCall>;
  /** Whether a rule may need what was masked. */
  readonly isInconclusive: boolean;
}

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
  const watched = new WatchedDecision(call.decision, schema);
  const mask = WatchedDecision.maskOf(places);
  const run = (explains: boolean) => {
    const { decision, watch } = watched.during(input, mask, explains);
    const ended = evaluateCall({ ...call, input: structuredClone(input), decision });
    return { ended, touched: watch.touched !== undefined || watch.isTransformed };
  };
  const explained = run(true);
  // An explanation decides nothing, but it must not quote what only stands for the masked value.
  const decides = explained.touched && isWhole ? run(false) : explained;
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
