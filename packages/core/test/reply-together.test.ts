import { afterEach, expect, it, vi } from "vitest";
import { replyTogether } from "../src/index.js";

afterEach(() => void vi.useRealTimers());

const nobody = (): void => {
  throw new Error("nothing was to fail");
};

it("writes after everything that is already waiting, in the order of the calls", async () => {
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    for (const name of ["first", "second"]) {
      process.nextTick(() => {
        order.push(`evaluated ${name}`);
        replyTogether(() => {
          order.push(`wrote ${name}`);
          if (name === "second") resolve();
        }, nobody);
      });
    }
  });
  expect(order).toEqual(["evaluated first", "evaluated second", "wrote first", "wrote second"]);
});

it("gives what writing throws to its caller, and goes on with the next", async () => {
  const thrown = await new Promise((resolve) => {
    const failures: unknown[] = [];
    replyTogether(
      () => {
        throw "broken";
      },
      (failure) => failures.push(failure),
    );
    replyTogether(() => resolve(failures), nobody);
  });
  expect(thrown).toEqual(["broken"]);
});

it("writes under a test's fake timers too", async () => {
  vi.useFakeTimers();
  await new Promise<void>((resolve) => replyTogether(resolve, nobody));
});
