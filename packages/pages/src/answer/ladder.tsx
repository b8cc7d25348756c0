import type { Rung } from "../model/reply.js";
import { Rungs } from "./rungs.js";

interface LadderProps {
  readonly rungs: readonly Rung[];
  readonly descriptions?: Readonly<Record<string, string>> | undefined;
}

/** The rules in order, what each is for, and how far the evaluation got. */
export function Ladder({ rungs, descriptions }: LadderProps) {
  return (
    <section class="ladder" aria-labelledby="rules-title">
      <h3 id="rules-title">Rules, in order</h3>
      <Rungs rungs={rungs} descriptions={descriptions} />
    </section>
  );
}
