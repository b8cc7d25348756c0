import { isObject, type JsonObject, listOf, own, textOf } from "../model/json.js";
import { load } from "../service/api.js";
import { place } from "./place.js";

/** The OpenAPI document, ready to be shown. */
export interface ApiDocument {
  readonly title: string;
  readonly spec: JsonObject;
  /** Names of the security schemes that take an API key. */
  readonly keySchemes: readonly string[];
}

/** Loads the document that Swagger UI shows. */
export async function loadDocument(key: string): Promise<ApiDocument> {
  const url = new URL(`${place.prefix}json`, location.href);
  const spec = await load<JsonObject>(url.href, key);
  const info = objectAt(spec, "info");
  const schemes = objectAt(objectAt(spec, "components"), "securitySchemes");
  return {
    title: textOf(info, "title") ?? "API",
    spec: { ...spec, servers: (listOf(spec, "servers") ?? []).map((server) => named(server, url)) },
    keySchemes: Object.keys(schemes).filter((name) => textOf(objectAt(schemes, name), "type") === "apiKey"),
  };
}

/** The document's servers are relative to it. People want to see where their requests go. */
function named(server: unknown, base: URL): unknown {
  if (!isObject(server)) return server;
  const url = textOf(server, "url");
  if (url === undefined || !URL.canParse(url, base)) return server;
  return { ...server, url: new URL(url, base).href.replace(/\/$/, ""), description: "this service" };
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}
