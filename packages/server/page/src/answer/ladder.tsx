import type { Rung } from "../model/reply.js";
import { Rungs } from "./rungs.js";

/** The rules in order, and how far the evaluation got. */
export function Ladder({ rungs }: { readonly rungs: readonly Rung[] }) {
  return (
    <section class="ladder" aria-labelledby="rules-title">
      <h3 id="rules-title">Rules, in order</h3>
      <Rungs rungs={rungs} />
    </section>
  );
}
