import { useEffect, useRef, useState } from "preact/hooks";
import { type Proof, proofOf } from "../model/example-proof.js";
import type { WorkedExample } from "../model/worked-examples.js";
import { type DecisionRef, evaluate } from "../service/api.js";

interface ProofsOptions extends DecisionRef {
  readonly examples: readonly WorkedExample[];
  readonly apiKey: string;
  readonly live: boolean;
}

export interface Proofs {
  /** What came of each example that was run, by key. */
  readonly found: ReadonlyMap<string, Proof>;
  readonly running: boolean;
  /** Runs every example of which something is expected. */
  runAll(): Promise<void>;
}

const none: ReadonlyMap<string, Proof> = new Map();

/** Runs examples one after another, so that they do not crowd out other calls. */
export function useProofs({ id, version, examples, apiKey, live }: ProofsOptions): Proofs {
  const [found, setFound] = useState(none);
  const [running, setRunning] = useState(false);
  const wanted = useRef(true);
  useEffect(
    () => () => {
      wanted.current = false;
    },
    [],
  );
  return {
    found,
    running,
    async runAll() {
      if (running) return;
      setRunning(true);
      const proofs = new Map<string, Proof>();
      for (const { key, input, profile, expect } of examples) {
        if (expect === undefined) continue;
        const call = { input, ...(profile === undefined ? {} : { profile }) };
        const reply = await evaluate({ id, version, traced: false, live }, call, apiKey);
        if (!wanted.current) return;
        proofs.set(key, proofOf(expect, reply));
        setFound(new Map(proofs));
      }
      setRunning(false);
    },
  };
}
