import { useEffect, useRef, useState } from "preact/hooks";
import { sameJson } from "../json/values.js";
import { fromFragment, type SharedCall, toFragment } from "../model/call.js";
import type { Reply } from "../model/reply.js";
import { useLatest } from "../parts/browser.js";
import { type DecisionRef, evaluate } from "../service/api.js";

/** How long the form must rest before the page evaluates by itself. */
const restMs = 250;

/** How long an outcome that is about to be replaced may stand as if it were the new one. */
const patienceMs = 150;

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
  /** Whether the reply has been out of date for a while, and a newer one is about to replace it. */
  readonly updating: boolean;
  /** Sends the call. Undefined where it was cancelled, or an earlier one was under way. */
  send(): Promise<Reply | undefined>;
  cancel(): void;
  /** Forgets the reply, and evaluates the next call immediately where the page does that by itself. */
  restart(): void;
}

/** Evaluates the call in the form: when the user asks for it and, where the host allows that, after each change. */
export function useEvaluation(options: EvaluationOptions): Evaluation {
  const { call, ready, live } = options;
  const [reply, setReply] = useState<Reply>();
  const [busy, setBusy] = useState(false);
  const { run, stop } = useRunning(options, setReply);
  const latest = useLatest(run);
  const rest = useRef(0);
  const isCurrent = reply !== undefined && sameJson(reply.sent, call);
  const isDue = live && ready && !isCurrent;

  useEffect(() => {
    if (!isDue || busy) return undefined;
    const timer = setTimeout(() => {
      rest.current = restMs;
      void latest.current(true);
    }, rest.current);
    return () => clearTimeout(timer);
  }, [isDue, busy, call]);

  return {
    reply,
    busy,
    updating: useLasting(reply !== undefined && (busy || isDue), busy ? patienceMs : restMs + patienceMs),
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

/** Sends one call at a time: a later one ends the one before. */
function useRunning(options: EvaluationOptions, onReply: (reply: Reply) => void) {
  const { id, version, call, traced, apiKey } = options;
  const running = useRef<AbortController | undefined>(undefined);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
  };
  const run = async (isLive: boolean): Promise<Reply | undefined> => {
    stop();
    const mine = new AbortController();
    running.current = mine;
    const timer = setTimeout(() => mine.abort(new DOMException("", "TimeoutError")), timeoutMs);
    const answer = await evaluate({ id, version, traced, live: isLive }, call, apiKey, mine.signal);
    clearTimeout(timer);
    // A later call, or the user, has taken its place.
    if (running.current !== mine) return undefined;
    running.current = undefined;
    onReply(answer);
    return answer;
  };
  useEffect(() => stop, []);
  return { run, stop };
}

/** Whether something has been so for a while. */
function useLasting(isSo: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isSo) {
      setLasts(false);
      return undefined;
    }
    const timer = setTimeout(() => setLasts(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && lasts;
}

/** Takes a shared call out of the address bar once the form has a different call, which that address would not restore. */
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
