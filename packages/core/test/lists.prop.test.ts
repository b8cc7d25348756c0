import fc from "fast-check";
import { expect, it } from "vitest";
import { Lists } from "../src/host.js";

/** How the evaluation of one input ends: at once, or after so many turns of the microtask queue. */
const delays = fc.array(fc.option(fc.nat(3), { freq: 2 }), { maxLength: 200 });

interface Item {
  readonly body: string;
  readonly delay: number | null;
}

function runOf(isGone: () => boolean = () => false, room = { hasRoomForMany: true }) {
  const lists = new Lists(room);
  const evaluate = ({ body, delay }: Item) => (delay === null ? { body } : later(body, delay));
  return {
    slices: (items: readonly Item[], take: (reply: { readonly body: string }) => boolean) =>
      lists.slices(items, lists.placesOf({}, isGone), evaluate, take),
    after: (work: readonly (() => void)[]) => lists.after(work),
  };
}

async function later(body: string, delay: number): Promise<{ readonly body: string }> {
  for (let turn = 0; turn < delay; turn += 1) await undefined;
  return { body };
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

/** A log that has room for so many records until it writes what it holds. */
function logOf(most: number) {
  const held: string[] = [];
  let peak = 0;
  const room = {
    get hasRoomForMany() {
      return held.length < most;
    },
  };
  const take = (body: string): void => {
    held.push(body);
    peak = Math.max(peak, held.length);
  };
  return { held, room, take, peak: () => peak };
}

const waits = { hasRoomForMany: false };

it("waits for room in the log: however many requests share it, they never hold more than there is room for", async () => {
  const oneRequest = fc.array(fc.constant(null), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(oneRequest, { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (requests, most) => {
        const log = logOf(most);
        const lists = new Lists(log.room);
        let left = requests.flat().length;
        const runs = requests.map(async (of) => {
          const places = lists.placesOf({}, () => false);
          const evaluate = ({ body }: Item) => {
            log.take(body);
            left -= 1;
            return body;
          };
          const taken: string[] = [];
          for await (const _ of lists.slices(itemsOf(of), places, evaluate, (body) => taken.push(body) > 0));
          expect(taken).toEqual(of.map((_, index) => `${index}`));
        });
        while (left > 0) {
          await new Promise((resolve) => setImmediate(resolve));
          if (log.held.length === Math.min(most, log.held.length + left)) log.held.length = 0;
        }
        await Promise.all(runs);
        expect(log.peak()).toBeLessThanOrEqual(most);
      },
    ),
    { numRuns: 10 },
  );
});

it("evaluates nothing more once nobody waits for what waits for room", async () => {
  let isGone = false;
  const taken: string[] = [];
  const run = runOf(() => isGone, waits);
  const slices = (async () => {
    for await (const _ of run.slices(itemsOf([null, null]), ({ body }) => taken.push(body) > 0));
  })();
  await new Promise((resolve) => setImmediate(resolve));
  isGone = true;
  await slices;
  expect(taken).toEqual([]);
});

it("runs what follows a reply with room for its record, also where nobody waits any more", async () => {
  const log = logOf(2);
  const run = runOf(() => true, log.room);
  const work = Array.from({ length: 7 }, () => () => log.take("shadow"));
  let ran = 0;
  const all = run.after(work);
  while (ran < work.length) {
    const count = Math.min(2, work.length - ran);
    await expect.poll(() => log.held.length).toBe(count);
    ran += count;
    log.held.length = 0;
  }
  await all;
  expect(log.peak()).toBe(2);
});
