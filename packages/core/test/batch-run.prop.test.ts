import fc from "fast-check";
import { expect, it } from "vitest";
import { BatchRun, type ItemReply } from "../src/batch/batch-run.js";
import { Places } from "../src/batch/places.js";
import { Turns } from "../src/batch/turns.js";

/** How the evaluation of one input ends: at once, or after so many turns of the microtask queue. */
const delays = fc.array(fc.option(fc.nat(3), { freq: 2 }), { maxLength: 200 });

function runOf(isGone: () => boolean = () => false) {
  const places = new Places(undefined, {}, isGone);
  return new BatchRun<{ readonly body: string; readonly delay: number | null }>(
    new Turns(),
    places,
    ({ body, delay }) => (delay === null ? replyOf(body) : later(body, delay)),
  );
}

function replyOf(body: string): ItemReply {
  return { body, afterwards: undefined };
}

async function later(body: string, delay: number): Promise<ItemReply> {
  for (let turn = 0; turn < delay; turn += 1) await undefined;
  return replyOf(body);
}

function itemsOf(of: readonly (number | null)[]) {
  return of.map((delay, index) => ({ body: `${index}`, delay }));
}

it("gives each reply once and in the order of the inputs, whichever of them wait", async () => {
  await fc.assert(
    fc.asyncProperty(delays, async (of) => {
      const items = itemsOf(of);
      const taken: string[] = [];
      const slices = runOf().slices(items, ({ body }) => taken.push(body) > 0);
      for await (const _ of slices);
      expect(taken).toEqual(items.map(({ body }) => body));
    }),
  );
});

it("ends a slice once enough is held", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(100), fc.integer({ min: 1, max: 7 }), async (count, most) => {
      const items = itemsOf(Array.from({ length: count }, () => null));
      let held = 0;
      let total = 0;
      const take = (): boolean => {
        total += 1;
        held += 1;
        return held < most;
      };
      for await (const _ of runOf().slices(items, take)) {
        expect(held).toBeGreaterThan(0);
        expect(held).toBeLessThanOrEqual(most);
        held = 0;
      }
      expect(total).toBe(count);
    }),
  );
});

it("evaluates nothing more once nobody waits", async () => {
  let taken = 0;
  const run = runOf(() => taken >= 3);
  const take = (): boolean => {
    taken += 1;
    return false;
  };
  for await (const _ of run.slices(itemsOf([null, null, null, null, null]), take));
  expect(taken).toBe(3);
});
