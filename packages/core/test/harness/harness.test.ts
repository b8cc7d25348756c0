// @module-tag one-node
import { describe, expect, it } from "vitest";
import { hasBaseline, loadBaseline } from "./baseline.js";
import { earlier, guards, inProcess, single } from "./cases-of-one.js";
import { choices, lists, loads } from "./cases-of-several.js";
import { compare, kindsOf } from "./compare.js";
import { currentDriver } from "./current-driver.js";
import { mutants } from "./mutants.js";
import type { Play } from "./plays.js";

/** Set HARNESS_CALLS=4 after a change of the core or of this harness: every run plays a quarter of that, with two mutants. */
const calls = Number(process.env["HARNESS_CALLS"] ?? 1);
const families: Readonly<Record<string, readonly Play[]>> = {
  "in process": inProcess(250 * calls),
  "requests to one decision": single(625 * calls),
  guards: guards(1500),
  "requests to several decisions": choices(750 * calls),
  lists: lists(75 * calls),
  "loads of profiles": loads(50 * calls),
  "calls for tools": earlier(50 * calls),
};

describe.skipIf(!hasBaseline())("compared with the core before its rebuild", { timeout: 300_000 }, () => {
  const baseline = once(() => loadBaseline());

  it.each(Object.entries(families))("%s are the same for everybody who sees them", async (_, family) => {
    const differences = await compare(family, await baseline(), currentDriver);
    expect(kindsOf(differences)).toEqual([]);
  });

  it.each(calls > 1 ? mutants : mutants.slice(0, 2))("it is noticed that $name", async (mutant) => {
    const family = families[mutant.family] ?? [];
    const differences = await compare(family, await loadBaseline(mutant), await baseline(), 1);
    expect(differences.length).toBeGreaterThan(0);
  });
});

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
