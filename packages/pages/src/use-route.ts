import { useEffect, useState } from "preact/hooks";
import { fromFragment, type Route } from "./model/share-link.js";

/** The route in the URL fragment. */
export function useRoute(): Route & { readonly fragment: string } {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = () => setFragment(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return { ...fromFragment(fragment), fragment };
}
