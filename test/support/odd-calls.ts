import {
  createEvaluator,
  type DecisionLog,
  type DecisionRecord,
  defineDecision,
  type Schema,
  withProfile,
} from "../../packages/core/src/index.js";
import { canonicalText } from "./sealed-records.js";

const anything: Schema<unknown, unknown> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
};
const schemas = { inputSchema: anything, outputSchema: anything, profileSchema: anything };

const inner = defineDecision({
  ...schemas,
  id: "inner",
  version: "1",
  rules: [{ id: "mirror", when: () => true, emit: (input) => ({ input }) }],
});

/** Where a value of an {@link OddCall} goes. */
const places = ["input", "profile", "host profile", "output", "used", "error"] as const;

/** Puts a value where it is told to. */
const outer = defineDecision({
  ...schemas,
  id: "outer",
  version: "1",
  uses: [inner],
  rules: [
    {
      id: "thrown",
      when: (input) => {
        if (Reflect.get(Object(input), "place") === "error") throw new Error("as it was told");
        return false;
      },
      emit: () => undefined,
    },
    {
      id: "put",
      when: (input, _profile, context) => {
        if (Reflect.get(Object(input), "place") === "used") context.evaluate(inner, given);
        return true;
      },
      emit: (input) => (Reflect.get(Object(input), "place") === "output" ? given : null),
    },
  ],
});

/** What the rules of {@link outer} get besides the input, so that it is in one place only. */
let given: unknown;

export interface OddCall {
  readonly place: (typeof places)[number];
  readonly value: unknown;
}

/** Names and values that JSON carries, and that programs trip over. */
const oddTexts = [
  '{"__proto__":{"a":-0}}',
  '{"toJSON":1,"then":2,"constructor":null,"hasOwnProperty":true}',
  '{"payload":null,"payloadHash":"sha256:","hash":"","salt":"","previousHash":null,"recordedAt":""}',
  '["\\u0000","\\n\\r\\u2028\\u2029","\\ufeff","\\u007f","\\\\","\\"payload\\":null   ,\\"payloadHash\\":"]',
  "[-0,1e21,1e-7,5e-324,1.7976931348623157e308,9007199254740993,0.1]",
  '{"é":1,"e\\u0301":2,"\\ufb33":3,"\\ud83d\\ude00":4,"10":5,"9":6,"":7}',
];

/** A value within so many objects and lists. */
export function nested(
  levels: number,
  inner: unknown = 1,
  isList = (level: number) => level % 3 === 0,
): unknown {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = isList(level) ? [value] : { "a/~": value };
  return value;
}

/** Levels around the 500 that a log keeps of a value, and far from them. */
const depths = [0, 1, ...Array.from({ length: 41 }, (_, index) => 480 + index), 1000, 3000];

/** Calls with odd values at every depth and place. */
export const oddCalls: readonly OddCall[] = places.flatMap((place) =>
  depths.map((levels, index) => {
    const inside: unknown = JSON.parse(oddTexts[index % oddTexts.length] ?? "");
    return { place, value: nested(levels, inside, (level) => level % ((index % 4) + 1) === 0) };
  }),
);

/** Makes a call, and tells under which request id it is recorded. */
export async function makeCall(log: DecisionLog, { place, value }: OddCall): Promise<string> {
  given = value;
  const requestId = crypto.randomUUID();
  const decision = place === "host profile" ? withProfile(outer, value) : outer;
  const input = place === "input" ? value : place === "error" ? { place, value } : { place };
  const call = { input, requestId, ...(place === "profile" && { profile: value }) };
  try {
    await createEvaluator({ log, logger: { error: () => {} } }).evaluate(decision, call);
  } catch {
    // The caller is told of a fault; the record is what counts here.
  }
  return requestId;
}

/** What a log has of the value of a call. */
export async function keptOf(
  log: DecisionLog,
  record: DecisionRecord,
  place: OddCall["place"],
): Promise<unknown> {
  if (place === "host profile") return await log.profile(record.profileHash);
  const payload = record.payload ?? {};
  const paths = {
    input: ["input"],
    profile: ["profile"],
    output: ["result", "data"],
    used: ["used", "0", "result", "data", "input"],
    error: ["input", "value"],
  };
  return paths[place].reduce<unknown>((value, name) => Reflect.get(Object(value), name), payload);
}

/** The first levels of a value as canonical JSON, -0 as JSON has it. */
export function topOf(value: unknown, levels = 600): string {
  return canonicalText(cut(value, levels));
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "…";
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value)) copy[name] = cut(member, levels - 1);
  return copy;
}
