import { useEffect, useState } from "preact/hooks";
import { fromRecordsFragment, type RecordsRoute } from "./model/records-route.js";

/** The route in the URL fragment. */
export function useRecordsRoute(): RecordsRoute {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = () => setFragment(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return fromRecordsFragment(fragment);
}
