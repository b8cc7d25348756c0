import { useEffect, useMemo, useState } from "preact/hooks";
import type { DocsFields, DocsListEntry } from "../model/data.js";
import { type FoundDecision, findDecisions } from "../model/find-decisions.js";
import { loadFields } from "../service/api.js";

/** The decisions that a query finds. Loads the fields of all decisions at the first query. */
export function useFound(
  decisions: readonly DocsListEntry[],
  query: string,
  apiKey: string,
): readonly FoundDecision[] {
  const [fields, setFields] = useState<DocsFields>();
  const searches = query.trim() !== "";
  useEffect(() => {
    if (!searches || fields !== undefined) return undefined;
    let wanted = true;
    loadFields(apiKey).then(
      (loaded) => {
        if (wanted) setFields(loaded);
      },
      // The rest can be searched without them.
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [searches, fields, apiKey]);
  return useMemo(() => findDecisions(decisions, fields, query), [decisions, fields, query]);
}
