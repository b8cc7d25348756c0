import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Exchange, Replies } from "../src/http/reply.js";
import { plainChoice } from "../src/service/choice.js";
import { unknownOrigin } from "../src/service/request-view.js";
import { Run } from "../src/service/run.js";
import { loan } from "./fixtures.js";

let replies = new Replies();
let nowMs = 1_000_000;
beforeEach(() => {
  replies = new Replies();
  nowMs += 1000;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const run = new Run(unknownOrigin, plainChoice(loan), {}, "req-1", 0, 0);

function replyTogether(write: () => void, fail: (thrown: unknown) => void): void {
  const exchange: Exchange = {
    source: undefined,
    requestId: "req-1",
    origin: () => unknownOrigin,
    input: () => undefined,
    handsOverHostErrors: false,
    onDecided: () => {},
    hasBegun: () => false,
    hasEnded: () => false,
    write,
    leave: () => {},
    // It gets an error, whatever was thrown.
    fail: ({ cause }) => fail(cause),
  };
  replies.write(run, exchange);
}

const nobody = (): void => {
  throw new Error("nothing was to fail");
};

/** Two evaluations in one turn, each taking `ms`. */
function twoReplies(ms: number): Promise<readonly string[]> {
  const order: string[] = [];
  return new Promise((resolve) => {
    for (const name of ["first", "second"]) {
      process.nextTick(() => {
        nowMs += ms;
        order.push(`evaluated ${name}`);
        replyTogether(() => {
          order.push(`wrote ${name}`);
          if (name === "second") resolve(order);
        }, nobody);
      });
    }
  });
}

it("writes at once when no other reply is near", () => {
  for (const _turn of [1, 2]) {
    nowMs += 5;
    let written = false;
    replyTogether(() => {
      written = true;
    }, nobody);
    expect(written).toBe(true);
  }
});

it("writes at once if evaluations are slow", async () => {
  const order = await twoReplies(2);
  expect(order).toEqual(["evaluated first", "wrote first", "evaluated second", "wrote second"]);
});

it("otherwise writes after everything that is already queued, in the order of the calls", async () => {
  replyTogether(() => {}, nobody);
  const order = await twoReplies(0.02);
  expect(order).toEqual(["evaluated first", "evaluated second", "wrote first", "wrote second"]);
});

it("measures the time since the last reply was written", async () => {
  replyTogether(() => {}, nobody);
  await new Promise<void>((resolve) => {
    replyTogether(() => {
      nowMs += 10;
      resolve();
    }, nobody);
  });
  expect(await twoReplies(0.02)).toEqual([
    "evaluated first",
    "evaluated second",
    "wrote first",
    "wrote second",
  ]);
});

it("passes a write error to its caller, at once or later, and continues with the next reply", async () => {
  const failures = await new Promise((resolve) => {
    const thrown: unknown[] = [];
    for (const name of ["first", "second"]) {
      replyTogether(
        () => {
          throw name;
        },
        (failure) => thrown.push(failure),
      );
    }
    replyTogether(() => resolve(thrown), nobody);
  });
  expect(failures).toEqual(["first", "second"]);
});

it("also writes under fake timers", async () => {
  vi.useFakeTimers();
  for (const _reply of [1, 2]) await new Promise<void>((resolve) => replyTogether(resolve, nobody));
});
