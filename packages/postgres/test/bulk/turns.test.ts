import { expect, it } from "vitest";
import { Turns } from "../../src/bulk/turns.js";

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
