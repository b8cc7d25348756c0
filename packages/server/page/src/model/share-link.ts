import { isObject } from "./json.js";
import { readJson } from "./read-json.js";

/** What a share link restores. */
export interface SharedCall {
  readonly input: unknown;
  /** Absent when the default profile applies. */
  readonly profile?: unknown;
}

/** What the address selects: a decision, and a call to restore. */
export interface Route {
  readonly id: string | undefined;
  readonly call: SharedCall | undefined;
}

/** The URL fragment of a decision, with or without a call. Browsers never send the fragment. */
export function toFragment(id: string, call?: SharedCall): string {
  return call === undefined ? `#/${id}` : `#/${id}?try=${encode(JSON.stringify(call))}`;
}

/** Reads a fragment. A call that cannot be read is left out. */
export function fromFragment(fragment: string): Route {
  const [path = "", ...query] = fragment.split("?");
  const id = /^#\/(.+?)\/*$/.exec(path)?.[1];
  if (id === undefined) return { id: undefined, call: undefined };
  const call = new URLSearchParams(query.join("?")).get("try");
  return { id: decodeId(id), call: call === null ? undefined : decodeCall(call) };
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeCall(text: string): SharedCall | undefined {
  try {
    const reading = readJson(decode(text));
    const call = "value" in reading ? reading.value : undefined;
    if (!isObject(call) || !Object.hasOwn(call, "input")) return undefined;
    const { input, profile } = call;
    return profile === undefined ? { input } : { input, profile };
  } catch {
    return undefined;
  }
}

function encode(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(text: string): string {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}
