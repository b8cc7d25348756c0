import { useEffect, useRef } from "preact/hooks";
import { sameJson } from "../model/json.js";
import { fromFragment, type SharedCall, toFragment } from "../model/share-link.js";

/** Takes a shared call out of the address bar once the form has another one, which that address would not restore. */
export function useAddress(call: SharedCall, id: string, version: string | undefined): void {
  const opened = useRef(call);
  useEffect(() => {
    if (call === opened.current) return;
    opened.current = call;
    if (location.hash.includes("?try=") && !sameJson(fromFragment(location.hash).call, call)) {
      history.replaceState(null, "", toFragment(id, undefined, version));
    }
  }, [call, id, version]);
}
