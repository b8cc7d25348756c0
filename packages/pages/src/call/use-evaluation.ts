import { useEffect, useRef, useState } from "preact/hooks";
import { sameJson } from "../json/values.js";
import { fromFragment, type SharedCall, toFragment } from "../model/call.js";
import type { Reply } from "../model/reply.js";
import { type DecisionRef, evaluate } from "../service/api.js";

/** How long the form must rest before the page evaluates by itself. */
const restMs = 250;

const timeoutMs = 30_000;

interface EvaluationOptions extends DecisionRef {
  /** The same object for as long as it is the same call. */
  readonly call: SharedCall;
  /** Whether the call can be sent. */
  readonly ready: boolean;
  readonly traced: boolean;
  readonly apiKey: string;
  /** Whether the page evaluates by itself after each change. */
  readonly live: boolean;
}

interface Evaluation {
  readonly reply: Reply | undefined;
  /** Whether a call that the user asked for is under way. */
  readonly busy: boolean;
  /** Sends the call. Undefined where it was cancelled, or another was under way. */
  send(): Promise<Reply | undefined>;
  cancel(): void;
  /** Forgets the reply, and evaluates the next call immediately where the page does that by itself. */
  restart(): void;
}

/** Evaluates the call in the form: when the user asks for it and, where the host allows that, after each change. */
export function useEvaluation(options: EvaluationOptions): Evaluation {
  const { id, version, call, ready, traced, apiKey, live } = options;
  const [reply, setReply] = useState<Reply>();
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | undefined>(undefined);
  const rest = useRef(0);

  const run = async (isLive: boolean): Promise<Reply | undefined> => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const timer = setTimeout(() => mine.abort(new DOMException("", "TimeoutError")), timeoutMs);
    const answer = await evaluate({ id, version, traced, live: isLive }, call, apiKey, mine.signal);
    clearTimeout(timer);
    // A later call, or the user, has taken its place.
    if (running.current !== mine) return undefined;
    running.current = undefined;
    setReply(answer);
    return answer;
  };
  const latest = useRef(run);
  latest.current = run;

  useEffect(() => {
    if (!live || !ready || busy || (reply !== undefined && sameJson(reply.sent, call))) return undefined;
    const timer = setTimeout(() => {
      rest.current = restMs;
      void latest.current(true);
    }, rest.current);
    return () => clearTimeout(timer);
  }, [live, ready, busy, call, reply]);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
  };
  useEffect(() => stop, []);

  return {
    reply,
    busy,
    async send() {
      if (busy) return undefined;
      setBusy(true);
      const answer = await run(false);
      setBusy(false);
      return answer;
    },
    cancel() {
      stop();
      setBusy(false);
    },
    restart() {
      // Where a new reply is about to come, the old one stays until then, so that nothing flickers.
      if (!live) setReply(undefined);
      rest.current = 0;
    },
  };
}

/** Takes a shared call out of the address bar once the form has another, which that address would not restore. */
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
