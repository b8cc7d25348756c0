import { isObject } from "./json.js";
import { readJson } from "./read-json.js";

/** What a share link restores. */
export interface SharedCall {
  readonly input: unknown;
  /** Absent when a profile of the host applies. */
  readonly profile?: unknown;
  /** Names a profile of the host. Absent when the default one applies. */
  readonly profileName?: string;
}

/** What the address selects: a decision, one of its versions, and a call to restore. */
export interface Route {
  readonly id: string | undefined;
  /** Undefined while the service chooses the version. */
  readonly version: string | undefined;
  readonly call: SharedCall | undefined;
  /** Present where there is a call that cannot be read. */
  readonly unreadable?: true;
}

/** The URL fragment of a decision, with or without a call and a version. Browsers never send the fragment. */
export function toFragment(id: string, call?: SharedCall, version?: string): string {
  const path = version === undefined ? `#/${id}` : `#/${id}/versions/${encodeURIComponent(version)}`;
  return call === undefined ? path : `${path}?try=${encode(JSON.stringify(call))}`;
}

/** Reads a fragment. A call that cannot be read is left out. */
export function fromFragment(fragment: string): Route {
  const [path = "", ...query] = fragment.split("?");
  const [, id, version] = /^#\/(.+?)(?:\/versions\/([^/]+))?\/*$/.exec(path) ?? [];
  if (id === undefined) return { id: undefined, version: undefined, call: undefined };
  const call = new URLSearchParams(query.join("?")).get("try");
  const restored = call === null ? undefined : decodeCall(call);
  return {
    ...(call !== null && restored === undefined ? { unreadable: true } : {}),
    id: decodeSegment(id),
    version: version === undefined ? undefined : decodeSegment(version),
    call: restored,
  };
}

function decodeSegment(text: string): string {
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
    const { input, profile, profileName } = call;
    return {
      input,
      ...(profile === undefined ? {} : { profile }),
      ...(typeof profileName === "string" ? { profileName } : {}),
    };
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
