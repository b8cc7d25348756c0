import type { JsonSchema } from "@decern/core";
import { isJsonObject, listOf, schemaNodes } from "@decern/core/schema";

/** Recursion in a schema ends here. */
const maxDepth = 16;

/** A value that a schema probably allows: whether it does is for validation to say. */
export function sampleOf(schema: unknown, root: JsonSchema, depth = 0): unknown {
  const [node] = schemaNodes(schema, root);
  if (node === undefined || depth > maxDepth) return null;
  if ("const" in node) return node["const"];
  if (Array.isArray(node["enum"])) return node["enum"][0];
  if ("default" in node) return node["default"];
  const [example] = listOf(node["examples"]);
  if (example !== undefined) return example;
  const type = Array.isArray(node["type"]) ? node["type"][0] : node["type"];
  if (type === "string") return textOf(node);
  if (type === "number" || type === "integer") return numberOf(node);
  if (type === "boolean") return false;
  if (type === "array") {
    const count = typeof node["minItems"] === "number" ? Math.min(node["minItems"], 100) : 0;
    return Array.from({ length: count }, () => sampleOf(node["items"], root, depth + 1));
  }
  if (type !== "object" && !isJsonObject(node["properties"])) return null;
  const properties = isJsonObject(node["properties"]) ? node["properties"] : {};
  const names = listOf(node["required"]).filter((name) => typeof name === "string");
  return Object.fromEntries(
    names.map((name) => [
      name,
      sampleOf(
        Object.hasOwn(properties, name) ? properties[name] : node["additionalProperties"],
        root,
        depth + 1,
      ),
    ]),
  );
}

const texts: Readonly<Record<string, string>> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  time: "00:00:00Z",
  duration: "P1D",
  email: "a@example.com",
  uri: "https://example.com/",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

function textOf({ format, minLength }: JsonSchema): string {
  const known = typeof format === "string" && Object.hasOwn(texts, format) ? texts[format] : undefined;
  return known ?? "other".padEnd(typeof minLength === "number" ? Math.min(minLength, 1000) : 0, "x");
}

/** Texts to try where no condition names the text. */
export const otherTexts: readonly string[] = [
  "other",
  "x",
  "X",
  "Another",
  "xx",
  "XX",
  "xxx",
  "XXX",
  "0",
  "00",
  "0000",
  "00000",
  "none of these",
  ...Object.values(texts),
];

function numberOf(node: JsonSchema): number {
  const numbers = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].map(
    (keyword) => {
      const value = node[keyword];
      return typeof value === "number" ? value : undefined;
    },
  );
  const [minimum, above, maximum, below, step] = numbers;
  if (minimum !== undefined) return minimum;
  if (above !== undefined)
    return above + (step ?? (below === undefined || below > above + 1 ? 1 : (below - above) / 2));
  if (maximum !== undefined) return Math.min(0, maximum);
  return below === undefined ? 0 : Math.min(0, below - (step ?? 1));
}
