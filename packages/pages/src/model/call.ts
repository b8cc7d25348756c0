import { readJson } from "../json/reading.js";
import { isObject, toPointer } from "../json/values.js";
import type { Issue, Reply } from "./reply.js";

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

/** The call that a reply belongs to. */
export function sentCall({ sent: { input, profile, profileName } }: Reply): SharedCall {
  return {
    input,
    ...(profile === undefined ? {} : { profile }),
    ...(profileName === undefined ? {} : { profileName }),
  };
}

/** A value in the form. `draft` is the text of the JSON view while that text cannot be sent. */
export interface Edited {
  readonly value: unknown;
  readonly draft?: { readonly text: string; readonly problem: string } | undefined;
}

interface DraftOptions {
  readonly text: string;
  /** Why the text is not a value, as the rest of a sentence that starts with the field's name. */
  readonly problem: string;
  /** Whether to show the problem yet. Not while the user is still typing, say from `1` to `1.5`. */
  readonly shown: boolean;
}

/** Text in a field that is not a value. It takes the value's place, so it is kept as written and never sent. */
export class Draft {
  readonly text: string;
  readonly problem: string;
  readonly shown: boolean;

  constructor({ text, problem, shown }: DraftOptions) {
    this.text = text;
    this.problem = problem;
    this.shown = shown;
  }

  /** The JSON view and the snippets show the text too. */
  toJSON(): string {
    return this.text;
  }
}

/** Whether a value contains a draft and so cannot be sent. */
export function hasDraft(value: unknown): boolean {
  if (value instanceof Draft) return true;
  if (typeof value !== "object" || value === null) return false;
  const known = looked.get(value);
  if (known !== undefined) return known;
  const has = Object.values(value).some(hasDraft);
  looked.set(value, has);
  return has;
}

/** What was found in the objects and lists of a form. They never change, so each item of a long list is looked at a single time. */
const looked = new WeakMap<object, boolean>();

/** The problems of the drafts in a value that should be shown by now. */
export function draftIssues(value: unknown, path: readonly (string | number)[] = []): readonly Issue[] {
  if (!hasDraft(value)) return [];
  if (value instanceof Draft) return value.shown ? [{ path: toPointer(path), message: value.problem }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => draftIssues(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => draftIssues(item, [...path, key]));
}
