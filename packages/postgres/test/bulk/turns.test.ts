import { expect, it } from "vitest";
import { Turns, takeInTurn } from "../../src/bulk/turns.js";

it("lets nobody evaluate beside an input that was tried before", async () => {
  const turns = new Turns();
  const log: string[] = [];
  const told = (name: string, turn: Promise<() => void>) =>
    turn.then((leave) => {
      log.push(name);
      return leave;
    });
  const first = await told("first", turns.beside());
  const second = await told("second", turns.beside());
  const alone = told("alone", turns.alone());
  const late = told("late", turns.beside());
  first();
  first();
  await Promise.resolve();
  expect(log).toEqual(["first", "second"]);
  second();
  (await alone)();
  (await late)();
  expect(log).toEqual(["first", "second", "alone", "late"]);
});

it("spares the batches of other pools too, because they die with the process", async () => {
  const { signal } = new AbortController();
  const batch = { items: [], commit: async () => {}, release: async () => {} };
  const log: string[] = [];
  let endOther = (): void => {};
  await takeInTurn(false, signal, async (_, leave) => {
    log.push("other pool");
    endOther = leave;
    return batch;
  });
  const suspects = takeInTurn(true, signal, async (isSuspect, leave) => {
    log.push(isSuspect ? "suspects" : "others");
    leave();
    return batch;
  });
  await new Promise(setImmediate);
  expect(log).toEqual(["other pool"]);
  endOther();
  await suspects;
  expect(log).toEqual(["other pool", "suspects"]);
});
