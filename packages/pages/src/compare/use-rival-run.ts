import { useEffect, useState } from "preact/hooks";
import type { Reply } from "../model/reply.js";
import { sentCall } from "../model/sent-call.js";
import { evaluate } from "../service/api.js";
import { callFor, type Rival } from "./rival.js";
import type { Run } from "./run.js";

interface Compared {
  readonly id: string;
  readonly version: string | undefined;
  readonly apiKey: string;
  /** Whether the page may evaluate without being counted. */
  readonly live: boolean;
  readonly rival: Rival | undefined;
  /** The answer that the page shows. */
  readonly reply: Reply | undefined;
  readonly pinned: Run | undefined;
}

/** The run to compare with. Another version or profile evaluates each call that the page has an answer for. */
export function useRivalRun({ id, version, apiKey, live, rival, reply, pinned }: Compared): Run | undefined {
  const [run, setRun] = useState<Run>();
  useEffect(() => {
    setRun(undefined);
    if (rival === undefined || rival.kind === "pinned" || reply === undefined || reply.httpStatus === 0)
      return;
    let wanted = true;
    const call = callFor(rival, sentCall(reply));
    const by = rival.kind === "version" ? rival.version : version;
    void evaluate({ id, version: by, traced: false, live }, call, apiKey).then((answer) => {
      if (wanted) setRun({ call, reply: answer });
    });
    return () => {
      wanted = false;
    };
  }, [id, version, apiKey, live, rival, reply]);
  return rival?.kind === "pinned" ? pinned : run;
}
