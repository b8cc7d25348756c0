import type { OkResult, Result } from "@decern/core";
import type { RouteOptions } from "fastify";

/** Deeper data is rare, and its comparison would take more of the stack than is safe. */
const maxDepth = 50;

/**
 * Tells whether two values certainly have the same JSON. Only primitives, arrays and object literals are compared; with
 * anything else in them, such as a date, the result is `false`.
 */
export function isSameData(one: unknown, other: unknown, depth = 0): boolean {
  if (typeof one !== "object" || one === null) return Object.is(one, other);
  if (depth === maxDepth) return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length || "toJSON" in one) return false;
    // `every` would skip holes.
    for (let index = 0; index < one.length; index += 1) {
      if (!isSameData(one[index], other[index], depth + 1)) return false;
    }
    return true;
  }
  if (!isLiteral(one) || !isLiteral(other)) return false;
  let more = 0;
  for (const _ in other) more += 1;
  for (const key in one) {
    more -= 1;
    const value = one[key];
    // Most are primitives, which need no call.
    if (value === other[key] && typeof value !== "object" && value !== undefined) continue;
    if (!Object.hasOwn(other, key) || !isSameData(value, other[key], depth + 1)) return false;
  }
  return more === 0;
}

function isLiteral(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !("toJSON" in value)
  );
}

/** Whether a payload is as the copy of a result was. Members that every result has are read by name, which takes a third of the time. */
function isStill(payload: unknown, result: Result): boolean {
  if (result.status !== "OK") return isSameData(payload, result);
  return (
    isLiteral(payload) &&
    payload["status"] === "OK" &&
    Object.hasOwn(payload, "data") &&
    countOf(payload) === countOf(result) &&
    isSameMeta(payload["meta"], result.meta) &&
    isSameData(payload["data"], result.data)
  );
}

function isSameMeta(one: unknown, other: OkResult["meta"]): boolean {
  return (
    isLiteral(one) &&
    one["decisionId"] === other.decisionId &&
    one["decisionVersion"] === other.decisionVersion &&
    one["matchedRule"] === other.matchedRule &&
    one["explanation"] === other.explanation &&
    one["evaluatedAt"] === other.evaluatedAt &&
    countOf(one) === countOf(other) &&
    isSameTrace(one["evaluatedRules"], other.evaluatedRules)
  );
}

function isSameTrace(one: unknown, other: OkResult["meta"]["evaluatedRules"]): boolean {
  if (!Array.isArray(one) || one.length !== other.length || "toJSON" in one) return false;
  for (let index = 0; index < other.length; index += 1) {
    const rule: unknown = one[index];
    // The entries of rules that did not match are frozen, and a copy has the same ones.
    if (rule !== other[index] && !isSameData(rule, other[index])) return false;
  }
  return true;
}

function countOf(value: object): number {
  let count = 0;
  for (const _ in value) count += 1;
  return count;
}

/** The text of a result, and the result that it was made from. The host can't reach that one, and so can't change it. */
interface PreparedText {
  readonly result: Result;
  readonly text: string;
}

function given(value: object): object {
  return value;
}

/** The fields of a class that extends this are added to the value. `new` of a function that returns an object is that object. */
const Given = given as unknown as new (value: object) => object;

/** A payload whose text is known. JSON, spreads and the host's tests leave a private field out. */
class Prepared extends Given {
  readonly #prepared: PreparedText;

  constructor(payload: Result, prepared: PreparedText) {
    super(payload);
    this.#prepared = prepared;
  }

  static of(payload: unknown): PreparedText | undefined {
    return typeof payload === "object" && payload !== null && #prepared in payload
      ? payload.#prepared
      : undefined;
  }
}

/** Remembers the text of a payload. */
export function prepareText(payload: Result, preparedText: PreparedText): void {
  new Prepared(payload, preparedText);
}

/**
 * An `onRoute` hook for the plugin's routes. It adds a serializer that sends prepared text, which saves Fastify from
 * serialising every result again.
 *
 * The serializer belongs to a response schema, because that is where Fastify gives way to the host: a serializer set with
 * `setReplySerializer` takes precedence, and a route that has a response schema keeps it. `preSerialization` hooks have
 * run by then, so that the text is sent only if they left the result as it was.
 */
export function usePreparedText(route: RouteOptions): void {
  if (route.schema?.response !== undefined || route.serializerCompiler !== undefined) return;
  // The frequent statuses by themselves: Fastify looks for them first.
  route.schema = { ...route.schema, response: { 200: {}, 400: {}, default: {} } };
  route.serializerCompiler = () => serialize;
}

function serialize(payload: unknown): string {
  // An error that the host left to Fastify, whose members are not enumerable here.
  if (payload instanceof Error)
    return JSON.stringify(Object.fromEntries(errorMembers.map((name) => [name, Reflect.get(payload, name)])));
  const known = Prepared.of(payload);
  return known !== undefined && isStill(payload, known.result) ? known.text : JSON.stringify(payload);
}

/** What Fastify sends of an error. */
const errorMembers = ["statusCode", "code", "error", "message"] as const;
