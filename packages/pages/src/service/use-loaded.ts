import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api.js";

export interface Failed {
  readonly state: "failed";
  /** The HTTP status, or 0 without a reply. */
  readonly status: number;
  readonly message: string;
  /** Loads once more. */
  retry(): void;
}

export type Loaded<T> =
  | { readonly state: "loading" }
  | Failed
  | { readonly state: "ready"; readonly value: T };

/** Loads when `key` changes or after a failure when asked to, and drops replies that arrive too late. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly result: Loaded<T> }>();
  const [attempt, setAttempt] = useState(0);
  const id = `${attempt} ${key}`;
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    let wanted = true;
    const settle = (result: Loaded<T>) => {
      if (wanted) setLoaded({ id, result });
    };
    latest.current().then(
      (value) => settle({ state: "ready", value }),
      (error: unknown) => {
        const status = error instanceof ApiError ? error.status : 0;
        const message = error instanceof ApiError ? error.message : "Couldn't reach the service";
        settle({ state: "failed", status, message, retry: () => setAttempt((last) => last + 1) });
      },
    );
    return () => {
      wanted = false;
    };
  }, [id]);
  return loaded?.id === id ? loaded.result : { state: "loading" };
}
