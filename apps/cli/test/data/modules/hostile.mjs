import { existsSync, writeFileSync } from "node:fs";
import { defineDecision } from "@decern/core";
import { z } from "zod";

/** What an input can make the rule do. */
const acts = {
  // Until somebody creates the file: an endless loop, as far as the thread can tell.
  hold: () => {
    const { RELEASE: release } = process.env;
    while (!existsSync(release)) {
      writeFileSync(`${release}.held`, "");
      wait(5);
    }
  },
  rest: () => wait(10),
  exit: () => process.exit(0),
  fill: () => {
    for (const all = []; ; ) all.push(new Array(10_000).fill(all.length));
  },
  throw: () => Promise.reject(new Error("nobody waits for this")),
};

export const decisions = [
  defineDecision({
    id: "hostile",
    version: "1.0.0",
    inputSchema: z.object({ act: z.string().optional(), filler: z.string().optional() }),
    outputSchema: z.object({ is: z.string() }),
    profileSchema: z.object({}),
    rules: [
      {
        id: "any",
        when: ({ act }) => {
          if (act !== undefined) acts[act]();
          return true;
        },
        emit: () => ({ is: "answered" }),
      },
    ],
  }),
];

function wait(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
