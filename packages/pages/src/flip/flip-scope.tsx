import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { FlipContext, type FlipState } from "./flip-context.js";

/** Lets the form, its fields and the panel share one explanation. */
export function FlipScope({ children }: { readonly children: ComponentChildren }) {
  const [state, show] = useState<FlipState>({ explained: undefined, stale: false });
  const value = useMemo(() => ({ ...state, show }), [state]);
  return <FlipContext.Provider value={value}>{children}</FlipContext.Provider>;
}
