import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api.js";

export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly status: number; readonly message: string }
  | { readonly state: "ready"; readonly value: T };

/** Loads when `key` changes, and drops replies that arrive too late. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly result: Loaded<T> }>();
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    let wanted = true;
    const settle = (result: Loaded<T>) => {
      if (wanted) setLoaded({ key, result });
    };
    latest.current().then(
      (value) => settle({ state: "ready", value }),
      (error: unknown) => {
        const status = error instanceof ApiError ? error.status : 0;
        const message = error instanceof ApiError ? error.message : "Couldn't reach the service";
        settle({ state: "failed", status, message });
      },
    );
    return () => {
      wanted = false;
    };
  }, [key]);
  return loaded?.key === key ? loaded.result : { state: "loading" };
}
