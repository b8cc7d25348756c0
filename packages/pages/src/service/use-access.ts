import { useEffect, useRef, useState } from "preact/hooks";
import { type Loaded, useLoaded } from "./use-loaded.js";

/** The API key in use, and the first data that was loaded with it. */
export interface Access<T> {
  readonly key: string;
  readonly loaded: Loaded<T>;
  /** Whether the service lets nobody in without a valid key. */
  readonly unauthenticated: boolean;
  /** Whether it refused this key. */
  readonly refused: boolean;
  giveKey(key: string): void;
}

/** Loads a page's first data, and again when the user gives another key. */
export function useAccess<T>(load: (key: string) => Promise<T>): Access<T> {
  // In memory only: the key is never stored and never part of a link.
  const [key, setKey] = useState("");
  const loaded = useLoaded(() => load(key), key);
  const unauthenticated = loaded.state === "failed" && isRefusal(loaded.status);
  const refused = unauthenticated && key !== "";
  // Once the data is there, the form for the key or the button that loads again disappears together with the focus.
  // Put the focus on the page.
  const { state } = loaded;
  const failedBefore = useRef(false);
  useEffect(() => {
    if (state === "failed") failedBefore.current = true;
    if (state === "ready" && (key !== "" || failedBefore.current)) document.getElementById("main")?.focus();
  }, [state, key]);
  return {
    key,
    loaded,
    unauthenticated,
    refused,
    // The same key may be tried again, because the service may accept it by now.
    giveKey: (next) => {
      if (loaded.state === "failed" && next === key) loaded.retry();
      else setKey(next);
    },
  };
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}
