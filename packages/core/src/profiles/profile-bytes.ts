import { notLoaded } from "./profile-document.js";

/** A document of ten thousand tenants is far smaller. */
export const maxProfileBytes = 10 * 1024 * 1024;

/** Decodes a document's bytes. Bytes that are no UTF-8 would turn silently into other text. */
export function decodeProfiles(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notLoaded(name, "is not valid UTF-8");
  }
}

/** The error of a document above {@link maxProfileBytes}. */
export function tooLarge(name: string): Error {
  return notLoaded(name, `is larger than ${maxProfileBytes / 1024 / 1024} MiB`);
}
