import { isJsonObject } from "@decern/core/schema";

/** Every reference in a part of a document, those of discriminators included. */
export function referencesIn(part: unknown): readonly string[] {
  if (typeof part === "string") return part.startsWith("#/components/") ? [part] : [];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(referencesIn) : [];
}

/**
 * Replaces every reference by what it points to. The schemas must not be recursive.
 *
 * @throws if there is nothing
 */
export function withoutReferences(part: unknown, document: object): unknown {
  if (typeof part === "string" && part.startsWith("#/components/"))
    return withoutReferences(targetOf(part, document), document);
  if (Array.isArray(part)) return part.map((item: unknown) => withoutReferences(item, document));
  if (!isJsonObject(part)) return part;
  const { $ref } = part;
  if (typeof $ref === "string") return withoutReferences($ref, document);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withoutReferences(value, document)]),
  );
}

function targetOf(ref: string, document: object): unknown {
  let target: unknown = document;
  for (const name of ref.slice(2).split("/")) {
    if (!isJsonObject(target) || !Object.hasOwn(target, name)) throw new Error(`${ref} has no target`);
    target = target[name];
  }
  return target;
}
