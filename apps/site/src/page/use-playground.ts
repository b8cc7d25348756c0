import { useEffect, useRef, useState } from "preact/hooks";
import { type PlaygroundCall, type PlaygroundState, toFragment } from "../base/state.js";
import type { Mistake, OpenedDecision, Source, Told } from "../engine/messages.js";
import type { Sandbox } from "../sandbox/sandbox.js";

/** How long the code must rest before it runs. */
const restMs = 400;

/** A source that has run, and the decisions that it defines. */
export interface Opened {
  readonly source: Source;
  readonly decisions: readonly OpenedDecision[];
}

/** Keeps the code, what came of it, and the link that restores it. */
export function usePlayground(sandbox: Sandbox, first: PlaygroundState) {
  const [source, setSource] = useState<Source>(first);
  const [call, setCall] = useState<PlaygroundCall>();
  const ran = useRun(sandbox, source);
  const fragment = useFragment(source, call);
  return { source, setSource, setCall, fragment, ...ran };
}

/** Runs the code when it has rested. What ran before stays until code without a mistake has run. */
function useRun(sandbox: Sandbox, source: Source) {
  const [opened, setOpened] = useState<Opened>();
  const [told, setTold] = useState<{ readonly source: Source; readonly mistake?: Mistake | undefined }>();
  const [lines, setLines] = useState<readonly string[]>([]);
  const isFirst = useRef(true);
  useEffect(() => {
    const superseded = new AbortController();
    const run = async () => {
      const { decisions, mistake, console } = await sandbox.open(source, superseded.signal);
      if (superseded.signal.aborted) return;
      setLines(console);
      setTold({ source, mistake });
      if (decisions !== undefined) setOpened({ source, decisions });
    };
    const timer = setTimeout(run, isFirst.current ? 0 : restMs);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      superseded.abort();
    };
  }, [sandbox, source]);
  const isRunning = told?.source !== source;
  return { opened, lines, isRunning, mistake: isRunning ? undefined : told.mistake };
}

/** The fragment of a link to what is on screen: in the address bar too. Undefined where it is too long for a link. */
function useFragment(source: Source, call: PlaygroundCall | undefined): string | undefined {
  const [fragment, setFragment] = useState<string | undefined>(location.hash);
  const opened = useRef({ source, call });
  useEffect(() => {
    // The address stays as it was opened until something changes.
    if (opened.current.source === source && opened.current.call === call) return undefined;
    let wanted = true;
    const timer = setTimeout(async () => {
      const { module, table } = source;
      const state = { module, ...(table && { table }), ...(call && { call }) };
      const next = await toFragment(state);
      if (!wanted) return;
      setFragment(next);
      history.replaceState(null, "", next ?? location.pathname);
    }, restMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [source, call]);
  return fragment;
}

/** The last evaluation of a call, and what it wrote to the console. */
export function useEvaluated(
  sandbox: Sandbox,
  { source, index, call, isReady }: EvaluatedOptions,
): { readonly call: PlaygroundCall; readonly told: Told } | undefined {
  const [evaluated, setEvaluated] = useState<{ readonly call: PlaygroundCall; readonly told: Told }>();
  useEffect(() => {
    if (!isReady) return undefined;
    const superseded = new AbortController();
    void sandbox.evaluate(source, index, call, superseded.signal).then((told) => {
      if (!superseded.signal.aborted) setEvaluated({ call, told });
    });
    return () => superseded.abort();
  }, [sandbox, source, index, call, isReady]);
  return evaluated;
}

interface EvaluatedOptions {
  readonly source: Source;
  readonly index: number;
  /** The same object for as long as it is the same call. */
  readonly call: PlaygroundCall;
  readonly isReady: boolean;
}
