import { setImmediate } from "node:timers/promises";
import { typebox } from "@decern/schema";
import { Type } from "typebox";

/** Defines different schemas, uses each once, and keeps none. */
async function discard(from, to) {
  for (let index = from; index < to; index += 1) {
    const { validate } = define(index)["~standard"];
    validate({ [`field${index}`]: "x" });
    validate({ [`field${index}`]: 1, list: ["x"] });
    // Finalization happens between tasks.
    if (index % 50 === 0) await setImmediate();
  }
}

function define(index) {
  return typebox(
    Type.Object({
      [`field${index}`]: Type.String(),
      list: Type.Optional(Type.Array(Type.Integer({ minimum: index }))),
    }),
  );
}

async function heap() {
  for (let round = 0; round < 10; round += 1) {
    globalThis.gc();
    await setImmediate();
  }
  return process.memoryUsage().heapUsed;
}

const kept = define(-1);
await discard(0, 150);
const before = await heap();
await discard(150, 600);
const after = await heap();
const works = "value" in kept["~standard"].validate({ "field-1": "x" });
process.stdout.write(JSON.stringify({ kept: works, growth: after - before }));
