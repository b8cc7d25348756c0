import { type Decision, defineDecision } from "@decern/core";
import { isDecision } from "@decern/core/tools";
import { Type } from "typebox";
import { typeboxSchema } from "../explore/typebox-schema.js";

/** A change of one place, as a programmer makes it by mistake or without thinking of the version. */
export type Mutant = readonly [name: string, original: string, changed: string];

export interface MutableDecision {
  /** The source text of its input schema, its output schema and its rules. `$0` stands for the first mutant's place. */
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

const [gt, ge, lt, le] = [">", ">=", "<", "<="].map((sign) => `(a, b) => a ${sign} b`);
const [eq, ne] = ["===", "!=="].map((sign) => `(a, b) => a ${sign} b`);

/**
 * @param isInside - whether literals stand in the rules, not in constants beside them
 * @returns the text of a module, as somebody would write it
 */
export function sourceOf({ source, mutants }: MutableDecision, isInside: boolean, changed?: number): string {
  const texts = mutants.map(([, original, other], index) => (index === changed ? other : original));
  const constants = texts.map((text, index) => `const c${index} = ${text};\n`);
  const filled = source.replaceAll(/\$(\d)/g, (_place, index) =>
    isInside ? `(${texts[index]})` : `c${index}`,
  );
  return `${isInside ? "" : constants.join("")}${filled}`;
}

/** Runs the text of a module. */
export function decisionOf(id: string, source: string): Decision {
  const define = (input: object, output: object, rules: object): unknown =>
    Reflect.apply(defineDecision, undefined, [
      {
        id,
        version: "1.0.0",
        inputSchema: input,
        outputSchema: output,
        profileSchema: typeboxSchema(Type.Object({})),
        rules,
      },
    ]);
  const decision: unknown = new Function("Type", "schema", "define", source)(Type, typeboxSchema, define);
  if (!isDecision(decision)) throw new Error(`${id} is no decision`);
  return decision;
}

export const mutableDecisions = {
  dates: {
    source: `
const input = schema(Type.Object({ start: Type.String({ format: "date" }), end: Type.String({ format: "date" }) }));
const output = schema(Type.Object({ kind: Type.String(), share: Type.Number() }));
return define(input, output, [
  { id: "old", when: (i) => $1(i.start, "2019-01-01"), emit: () => ({ kind: "old", share: 0 }), explain: (i) => "Starts " + i.start },
  { id: "long", when: (i) => $3((Date.parse(i.end) - Date.parse(i.start)) / 864e5, $2), emit: () => ({ kind: "long", share: $4 }) },
  { id: "december", when: (i) => $6(Number(i.start.slice(5, 7)), $7), emit: () => ({ kind: "december", share: 1 }) },
  { id: "weekend", when: (i) => new Date(i.start).getUTCDay() === $8, emit: () => ({ kind: "weekend", share: 1 }) },
  { id: "after", when: (i) => i.start >= $0, emit: () => ({ kind: $9, share: 0.1 }) },
  { id: "year", when: (i) => Number(i.end.slice(0, 4)) > $5, emit: () => ({ kind: "year", share: 0.2 }) },
  { id: "else", when: () => true, emit: () => ({ kind: "else", share: 0.3 }) },
]);`,
    mutants: [
      ["a date", '"2026-03-01"', '"2026-03-02"'],
      ["< of dates", `${lt}`, `${le}`],
      ["days", "30", "31"],
      ["> of days", `${gt}`, `${ge}`],
      ["an output number", "0.5", "0.51"],
      ["a year", "2020", "2021"],
      ["=== of months", `${eq}`, `${ne}`],
      ["a month", "12", "11"],
      ["a weekday", "6", "5"],
      ["an output text", '"late"', '"Late"'],
    ],
  },
  strings: {
    source: `
const input = schema(Type.Object({
  code: Type.String({ maxLength: 20 }), note: Type.Optional(Type.String({ maxLength: 100 })), kind: Type.String({ maxLength: 10 }),
}));
return define(input, schema(Type.Object({ q: Type.String() })), [
  { id: "vip", when: (i) => i.code === $5, emit: () => ({ q: "vip" }) },
  { id: "urgent", when: (i) => (i.note ?? "").includes($3), emit: () => ({ q: "u" }) },
  { id: "format", when: (i) => $4.test(i.code), emit: () => ({ q: "format" }) },
  { id: "prefix", when: (i) => i.code.startsWith($0), emit: () => ({ q: $8 }) },
  { id: "trimmed", when: (i) => $6(i.kind) === "gold", emit: () => ({ q: "gold" }) },
  { id: "lower", when: (i) => $7(i.kind) === "silver", emit: () => ({ q: "silver" }) },
  { id: "long", when: (i) => $2(i.code.length, $1), emit: () => ({ q: "long" }) },
  { id: "last", when: (i) => i.code.endsWith($9), emit: () => ({ q: "z" }) },
  { id: "else", when: () => true, emit: () => ({ q: "else" }) },
]);`,
    mutants: [
      ["a prefix", '"AB"', '"AC"'],
      ["a length", "8", "9"],
      ["> of lengths", `${gt}`, `${ge}`],
      ["a part", '"urgent"', '"Urgent"'],
      ["a pattern", "/^[A-Z]{2}\\d{3}$/", "/^[A-Z]{2}\\d{4}$/"],
      ["an exact text", '"VIP-1"', '"VIP-2"'],
      ["trim", "(text) => text.trim()", "(text) => text"],
      ["lower case", "(text) => text.toLowerCase()", "(text) => text"],
      ["an output text", '"p1"', '"p2"'],
      ["a last letter", '"Z"', '"Y"'],
    ],
  },
  unions: {
    source: `
const oneOf = (...texts) => Type.Union(texts.map((text) => Type.Literal(text)));
const input = schema(Type.Object({
  country: oneOf("DE", "FR", "IT", "ES", "PL"),
  tier: oneOf("gold", "silver", "none"),
  business: Type.Boolean(),
  pay: Type.Union([
    Type.Object({ type: Type.Literal("card"), limit: Type.Integer({ minimum: 0, maximum: 10000 }) }),
    Type.Object({ type: Type.Literal("sepa"), iban: Type.String({ minLength: 2, maxLength: 34 }) }),
  ]),
}));
return define(input, schema(Type.Object({ rate: Type.Number(), ok: Type.Boolean() })), [
  { id: "third", when: (i) => i.country === $6 && i.tier === "none", emit: () => ({ rate: 0.22, ok: false }) },
  { id: "both", when: (i) => $2(i.business, i.tier === $1), emit: () => ({ rate: 0, ok: $5 }) },
  { id: "card", when: (i) => i.pay.type === "card" && $8(i.pay.limit, $7), emit: () => ({ rate: 0.1, ok: true }) },
  { id: "iban", when: (i) => i.pay.type === "sepa" && i.pay.iban.startsWith($9), emit: () => ({ rate: 0.15, ok: true }) },
  { id: "set", when: (i) => $0.includes(i.country), emit: () => ({ rate: $4, ok: true }) },
  { id: "private", when: (i) => $3(i.business), emit: () => ({ rate: 0.3, ok: true }) },
  { id: "else", when: () => true, emit: () => ({ rate: 0.4, ok: false }) },
]);`,
    mutants: [
      ["a member of a set", '["DE", "FR"]', '["DE"]'],
      ["a member of an enumeration", '"gold"', '"silver"'],
      ["and", "(a, b) => a && b", "(a, b) => a || b"],
      ["not", "(a) => !a", "(a) => a"],
      ["an output number", "0.19", "0.2"],
      ["an output boolean", "true", "false"],
      ["another member of an enumeration", '"IT"', '"ES"'],
      ["an amount in a union", "100", "101"],
      [">= in a union", `${ge}`, `${gt}`],
      ["a prefix in a union", '"DE"', '"AT"'],
    ],
  },
  arrays: {
    source: `
const item = Type.Object({
  sku: Type.String({ maxLength: 8 }), price: Type.Number({ minimum: 0, maximum: 1000 }), qty: Type.Integer({ minimum: 1, maximum: 10 }),
});
return define(schema(Type.Object({ items: Type.Array(item, { maxItems: 6 }) })), schema(Type.Object({ n: Type.Number() })), [
  { id: "empty", when: (i) => i.items.length === 0, emit: () => ({ n: 0 }) },
  { id: "big", when: (i) => $1(i.items.reduce((sum, x) => sum + x.price * x.qty, 0), $0), emit: () => ({ n: 1 }) },
  { id: "sku", when: (i) => $2(i.items, (x) => x.sku === $7), emit: () => ({ n: 2 }) },
  { id: "many", when: (i) => $4(i.items.length, $3), emit: () => ({ n: 3 }) },
  { id: "max", when: (i) => Math.max(...i.items.map((x) => x.price)) > $5, emit: () => ({ n: 4 }) },
  { id: "first", when: (i) => $6(i.items).qty > 5, emit: () => ({ n: 5 }) },
  { id: "distinct", when: (i) => $8(i.items.map((x) => x.sku)) > 1, emit: () => ({ n: 6 }) },
  { id: "else", when: () => true, emit: () => ({ n: $9 }) },
]);`,
    mutants: [
      ["a sum", "1000", "1001"],
      ["> of sums", `${gt}`, `${ge}`],
      ["some", "(list, is) => list.some(is)", "(list, is) => list.every(is)"],
      ["a length", "3", "4"],
      [">= of lengths", `${ge}`, `${gt}`],
      ["a maximum", "500", "500.5"],
      ["the first", "(list) => list[0]", "(list) => list.at(-1)"],
      ["a text in a list", '"X1"', '"X2"'],
      ["distinct", "(list) => new Set(list).size", "(list) => list.length"],
      ["an output number", "7", "8"],
    ],
  },
  decimals: {
    source: `
const input = schema(Type.Object({
  x: Type.Number({ minimum: -1000, maximum: 1000 }), y: Type.Number({ minimum: 0, maximum: 100 }), z: Type.Number({ minimum: 0, maximum: 100 }),
}));
return define(input, schema(Type.Object({ v: Type.Number() })), [
  { id: "negative", when: (i) => $3(i.x, $7), emit: () => ({ v: -1 }) },
  { id: "tiny", when: (i) => i.y < $9, emit: () => ({ v: 0 }) },
  { id: "ratio", when: (i) => i.z / i.y < $4 && i.x < $1, emit: () => ({ v: 1 }) },
  { id: "sum", when: (i) => i.y + i.z > $8, emit: () => ({ v: 2 }) },
  { id: "middle", when: (i) => $2(i.y, $0), emit: (i) => ({ v: $6(i.x * $5) }) },
  { id: "else", when: () => true, emit: () => ({ v: 3 }) },
]);`,
    mutants: [
      ["0.375", "0.375", "0.376"],
      ["12.125", "12.125", "12.126"],
      [">= at 0.375", `${ge}`, `${gt}`],
      ["< at -7.001", `${lt}`, `${le}`],
      ["a ratio", "0.333", "0.334"],
      ["a coefficient", "1.005", "1.006"],
      ["rounding", "(x) => Math.round(x * 1000) / 1000", "(x) => Math.round(x * 100) / 100"],
      ["-7.001", "-7.001", "-7.002"],
      ["a sum", "99.999", "100"],
      ["0.001", "0.001", "0.002"],
    ],
  },
  nested: {
    source: `
const input = schema(Type.Object({
  person: Type.Object({
    age: Type.Integer({ minimum: 0, maximum: 130 }),
    address: Type.Object({ zip: Type.String({ pattern: "^[0-9]{5}$" }), country: Type.Optional(Type.String({ minLength: 2, maxLength: 2 })) }),
    jobs: Type.Optional(Type.Object({ income: Type.Number({ minimum: 0 }), debts: Type.Optional(Type.Number({ minimum: 0 })) })),
  }),
  flags: Type.Object({ a: Type.Boolean(), b: Type.Boolean() }),
}));
return define(input, schema(Type.Object({ r: Type.String(), d: Type.Array(Type.Number()) })), [
  { id: "minor", when: (i) => $1(i.person.age, $0), emit: () => ({ r: "minor", d: [] }) },
  { id: "zip", when: (i) => i.person.address.zip === $2, emit: () => ({ r: "zip", d: [] }) },
  { id: "flags", when: (i) => $3(i.flags.a, i.flags.b), emit: () => ({ r: "flags", d: $9 }) },
  { id: "ratio", when: (i) => $7(i.person.jobs?.debts ?? $5, (i.person.jobs?.income ?? 0) * $6), emit: () => ({ r: "ratio", d: [3] }) },
  { id: "income", when: (i) => (i.person.jobs?.income ?? 0) >= $4, emit: () => ({ r: $8, d: [4] }) },
  { id: "else", when: () => true, emit: () => ({ r: "else", d: [5] }) },
]);`,
    mutants: [
      ["an age", "18", "19"],
      ["< of ages", `${lt}`, `${le}`],
      ["an exact text with a pattern", '"10115"', '"10117"'],
      ["or", "(a, b) => a || b", "(a, b) => a && b"],
      ["an income", "30000", "30001"],
      ["a default of an optional number", "0", "1"],
      ["a ratio", "0.4", "0.41"],
      ["> of ratios", `${gt}`, `${ge}`],
      ["an output text", '"income"', '"incom"'],
      ["an output list", "[1, 2]", "[2, 1]"],
    ],
  },
} satisfies Readonly<Record<string, MutableDecision>>;
