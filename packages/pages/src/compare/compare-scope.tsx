import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import type { Run } from "./run.js";

interface Pinned {
  readonly pinned: Run | undefined;
  readonly pin: (run: Run | undefined) => void;
}

const PinContext = createContext<Pinned>({ pinned: undefined, pin: () => {} });

/** Keeps a pinned run while its decision is open, whatever version of it is shown. */
export function CompareScope({ children }: { readonly children: ComponentChildren }) {
  const [pinned, pin] = useState<Run>();
  const value = useMemo(() => ({ pinned, pin }), [pinned]);
  return <PinContext.Provider value={value}>{children}</PinContext.Provider>;
}

export function usePinned(): Pinned {
  return useContext(PinContext);
}
