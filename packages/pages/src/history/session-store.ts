import { readJson } from "../model/read-json.js";

/**
 * Keeps values for as long as the tab lives, a reload included. Not longer, because inputs may be about people. Where the
 * browser keeps nothing, nothing is kept.
 */
export const sessionStore = {
  read(key: string): unknown {
    try {
      const text = sessionStorage.getItem(fullKey(key));
      const reading = text === null ? undefined : readJson(text);
      return reading !== undefined && "value" in reading ? reading.value : undefined;
    } catch {
      return undefined;
    }
  },
  /** @param value - `undefined` removes what is there */
  write(key: string, value: unknown): void {
    try {
      if (value === undefined) sessionStorage.removeItem(fullKey(key));
      else sessionStorage.setItem(fullKey(key), JSON.stringify(value));
    } catch {
      // It is full, or the browser forbids it.
    }
  },
};

/** Several services may share an origin, each behind its own prefix. */
function fullKey(key: string): string {
  return `decern ${location.pathname} ${key}`;
}
