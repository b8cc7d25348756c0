import { useEffect, useRef, useState } from "preact/hooks";
import { readJson } from "../json/reading.js";
import { sameJson } from "../json/values.js";

/**
 * The value of the last render. A callback that reads it here instead of capturing it can stay the same forever, so what it is
 * given to need not be drawn again.
 */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/** The same object for as long as it is the same JSON. */
export function useSame<T>(value: T): T {
  const kept = useRef(value);
  if (!sameJson(kept.current, value)) kept.current = value;
  return kept.current;
}

/** Listens to an event of the window. */
export function useListener<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
  isOn = true,
): void {
  const latest = useLatest(listener);
  useEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: WindowEventMap[Name]) => latest.current(event);
    addEventListener(name, listen);
    return () => removeEventListener(name, listen);
  }, [name, isOn]);
}

/** Has what a promise settles with used, for as long as the effect that this is the end of lasts. */
export function settled<T>(
  promise: Promise<T>,
  use: (value: T) => void,
  fail?: (error: unknown) => void,
): () => void {
  let isWanted = true;
  void promise.then((value) => isWanted && use(value), fail && ((error: unknown) => isWanted && fail(error)));
  return () => {
    isWanted = false;
  };
}

/** The fragment of the address. */
export function useFragment(): string {
  const [fragment, setFragment] = useState(location.hash);
  useListener("hashchange", () => setFragment(location.hash));
  return fragment;
}

/**
 * Keeps values for as long as the tab lives, a reload included. Not longer, because they may be about people. Where the browser
 * keeps nothing, nothing is kept.
 */
export const sessionStore = {
  read(key: string): unknown {
    try {
      const text = sessionStorage.getItem(key);
      const reading = text === null ? undefined : readJson(text);
      return reading !== undefined && "value" in reading ? reading.value : undefined;
    } catch {
      return undefined;
    }
  },
  /** @param value - `undefined` removes what is there */
  write(key: string, value: unknown): void {
    try {
      if (value === undefined) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
      // It is full, or the browser forbids it.
    }
  },
};
