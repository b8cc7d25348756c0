import { type Decision, type Schema, toJsonSchema } from "@decern/core";
import {
  envelopeSchemas,
  escapePointer,
  isJsonObject,
  mapSubschemas,
  pointerTokens,
} from "@decern/core/schema";
import type { Json, JsonObject } from "../text/plain-json.js";

/** The tokens of a mask: names, indexes, and `*` for everything on one level. */
export type MaskPath = readonly string[];

export interface Removed {
  readonly pointers: string[];
  readonly values: Json[];
}

/** Removes what a mask names. In a list, `null` stands in its place. */
export function removeMasked(root: JsonObject, path: MaskPath, removed: Removed, at = ""): void {
  step(root, path, 0, at, removed);
}

/** @returns whether to remove the container itself */
function step(container: Json, path: MaskPath, index: number, at: string, removed: Removed): boolean {
  const token = path[index];
  if (token === undefined || typeof container !== "object" || container === null) return false;
  const isLast = index === path.length - 1;
  // Names that a wildcard stands for are data, and a pointer would show them.
  if (isLast && token === "*" && !Array.isArray(container)) return Object.keys(container).length > 0;
  for (const name of namesOf(container, token)) {
    const child = Reflect.get(container, name);
    const place = `${at}/${escapePointer(name)}`;
    if (isLast ? child !== undefined : step(child, path, index + 1, place, removed)) {
      removeMember(container, name, place, removed);
    }
  }
  return false;
}

function namesOf(container: Json[] | JsonObject, token: string): readonly string[] {
  if (token === "*") return Object.keys(container);
  return Object.hasOwn(container, token) && !(Array.isArray(container) && token === "length") ? [token] : [];
}

export function removeMember(
  container: Json[] | JsonObject,
  name: string,
  pointer: string,
  removed: Removed,
): void {
  removed.pointers.push(pointer);
  removed.values.push(Reflect.get(container, name));
  if (Array.isArray(container)) container[Number(name)] = null;
  else delete container[name];
}

/**
 * Removes what a mask names from a value of the host, which is not changed: containers on the path are copied, the rest is shared.
 *
 * @param index - of the first token within the value
 * @returns `undefined` for a value that {@link removeMasked} has to see as JSON
 */
export function cutOut(
  value: unknown,
  path: MaskPath,
  index: number,
  at: string,
  removed: Removed,
): { readonly rest: unknown } | undefined {
  const token = path[index];
  if (token === undefined || typeof value !== "object" || value === null) return { rest: value };
  const copy = plainCopy(value);
  const isLast = index === path.length - 1;
  // Names that a wildcard stands for are data, so their object is removed as a whole.
  if (copy === undefined || (isLast && token === "*" && !Array.isArray(copy))) return undefined;
  for (const name of token === "*" ? Object.keys(copy) : [token]) {
    if (!Object.hasOwn(copy, name) || (Array.isArray(copy) && name === "length")) continue;
    const member: unknown = Reflect.get(copy, name);
    const place = `${at}/${escapePointer(name)}`;
    if (!isLast) {
      const cut = cutOut(member, path, index + 1, place, removed);
      if (cut === undefined) return undefined;
      Reflect.set(copy, name, cut.rest);
    } else if (typeof member === "string" || typeof member === "number" || typeof member === "boolean") {
      removed.pointers.push(place);
      removed.values.push(member);
      if (Array.isArray(copy)) copy[Number(name)] = null;
      else Reflect.deleteProperty(copy, name);
    } else if (member !== undefined) return undefined;
  }
  return { rest: copy };
}

/** `undefined` for a value whose members JSON does not take as they are. */
function plainCopy(value: object): object | undefined {
  if ("toJSON" in value) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return prototype === Array.prototype ? value.slice() : undefined;
  return prototype === Object.prototype || prototype === null ? { ...value } : undefined;
}

type JsonSchema = ReturnType<typeof toJsonSchema>;

/** Members of a payload that Decern names, apart from those of an envelope. */
const ownNames = ["data", "code", "id", "version", "profileHash", "contentHash", "result", "used"];

/** Member names in the schemas of a decision and of those that it uses: readers of a record know them. */
function declaredNames(decision: Decision): ReadonlySet<string> {
  const names = new Set(ownNames);
  for (const part of Object.values(envelopeSchemas())) addNames(part, names);
  addDecision(decision, names);
  return names;
}

function addDecision({ inputSchema, outputSchema, profileSchema, uses }: Decision, names: Set<string>): void {
  addNames(jsonSchemaOf(inputSchema, "input"), names);
  addNames(jsonSchemaOf(outputSchema, "output"), names);
  addNames(jsonSchemaOf(profileSchema, "input"), names);
  for (const used of uses) addDecision(used, names);
}

/** A schema without a JSON form declares nothing, so every name counts as data. */
function jsonSchemaOf(schema: Schema, direction: "input" | "output"): JsonSchema {
  try {
    return toJsonSchema(schema, direction);
  } catch {
    return {};
  }
}

function addNames(schema: JsonSchema, names: Set<string>): void {
  const { properties, propertyNames } = schema;
  if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  // A map whose keys are listed.
  const listed = isJsonObject(propertyNames) ? (propertyNames["enum"] ?? [propertyNames["const"]]) : [];
  if (Array.isArray(listed)) for (const name of listed) if (typeof name === "string") names.add(name);
  mapSubschemas(schema, (subschema) => {
    addNames(subschema, names);
    return subschema;
  });
}

const noPaths: readonly MaskPath[] = [];

export class Masks {
  readonly #byId: ReadonlyMap<string, readonly MaskPath[]>;
  readonly #touched = new WeakMap<Decision, boolean>();
  readonly #declared = new WeakMap<Decision, ReadonlySet<string>>();

  /** @param masks - JSON Pointers by id of the decision */
  constructor(masks: Readonly<Record<string, readonly string[] | undefined>>) {
    const entries = Object.entries(masks).map(
      ([id, pointers = []]) => [id, pointers.map(pointerTokens)] as const,
    );
    this.#byId = new Map(entries.filter(([, paths]) => paths.length > 0));
  }

  of(id: string): readonly MaskPath[] {
    return this.#byId.get(id) ?? noPaths;
  }

  touch(decision: Decision): boolean {
    if (this.#byId.size === 0) return false;
    const known = this.#touched.get(decision);
    if (known !== undefined) return known;
    const touched = this.#byId.has(decision.id) || decision.uses.some((used) => this.touch(used));
    this.#touched.set(decision, touched);
    return touched;
  }

  /** Names of members that are no data. */
  declared(decision: Decision): ReadonlySet<string> {
    const known = this.#declared.get(decision);
    if (known !== undefined) return known;
    const names = declaredNames(decision);
    this.#declared.set(decision, names);
    return names;
  }
}
