import type { Explanation } from "@decern/core/host";
import { useContext, useEffect } from "preact/hooks";
import { sameJson } from "../model/json.js";
import { type Reply, statusOf } from "../model/reply.js";
import { sentCall } from "../model/sent-call.js";
import type { SharedCall } from "../model/share-link.js";
import { evaluationPath, load } from "../service/api.js";
import { FlipContext } from "./flip-context.js";

interface Answered {
  readonly id: string;
  readonly version: string | undefined;
  readonly apiKey: string;
  /** Whether the service explains answers. */
  readonly explains: boolean;
  /** The call in the form. */
  readonly call: SharedCall;
  readonly reply: Reply | undefined;
}

/** Asks what would change each answer that the page shows. */
export function useExplanation({ id, version, apiKey, explains, call, reply }: Answered): void {
  const { explained, stale, show } = useContext(FlipContext);
  useEffect(() => {
    if (!explains || reply === undefined || !["OK", "NO_MATCH"].includes(statusOf(reply))) {
      show({ explained: undefined, stale: false });
      return;
    }
    let wanted = true;
    const sent = sentCall(reply);
    load<Explanation>(`${evaluationPath({ id, version })}/explain`, apiKey, sent).then(
      (explanation) => {
        if (wanted) show({ explained: { call: sent, explanation }, stale: false });
      },
      // The answer itself is still there. The next one asks again.
      () => {
        if (wanted) show({ explained: undefined, stale: false });
      },
    );
    return () => {
      wanted = false;
    };
  }, [id, version, apiKey, explains, reply]);
  const isOutdated = explained !== undefined && !sameJson(explained.call, call);
  useEffect(() => {
    if (explained !== undefined && isOutdated !== stale) show({ explained, stale: isOutdated });
  }, [explained, isOutdated, stale]);
}
