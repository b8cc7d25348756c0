import { isObject, type JsonObject, own, textOf } from "../model/json.js";
import { pointerTokens } from "../model/pointer.js";
import { resolveSchema } from "../schema/resolve-schema.js";

/** What the form calls a field: its title, else its name. The item of a list has its number, and what the list is called. */
export function fieldLabel(pointer: string, root: JsonObject): string {
  let schema: JsonObject | undefined = root;
  let label = "The input";
  for (const token of pointerTokens(pointer)) {
    const resolved: JsonObject = schema === undefined ? {} : resolveSchema(schema, root);
    const properties: unknown = resolved["properties"];
    const property: unknown = isObject(properties) ? own(properties, token) : undefined;
    if (/^\d+$/.test(token) && property === undefined) {
      const items: unknown = resolved["items"];
      schema = isObject(items) ? items : undefined;
      label = `${label} ${Number(token) + 1}`;
    } else {
      const inList: string = / \d+$/.exec(label) === null ? "" : `${label}, `;
      schema = isObject(property) ? property : undefined;
      label = inList + ((schema && textOf(resolveSchema(schema, root), "title")) ?? token);
    }
  }
  return label;
}
