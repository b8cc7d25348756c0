import { useRef } from "preact/hooks";

/**
 * The value of the last render. A callback that reads it here instead of capturing it can stay the same forever, so what it is
 * given to need not be drawn again.
 */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
