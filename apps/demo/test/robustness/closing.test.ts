import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import { Type } from "typebox";
import { expect, it } from "vitest";
import { portOf } from "../support/listening.js";

/** Returns a text of the requested length. */
const sized = defineDecision({
  id: "sized",
  version: "1",
  inputSchema: typebox(Type.Object({ length: Type.Integer(), wait: Type.Integer() })),
  outputSchema: typebox(Type.Object({ text: Type.String() })),
  profileSchema: typebox(Type.Object({})),
  rules: [{ id: "only", when: () => true, emit: (input) => ({ text: "x".repeat(input.length) }) }],
});

const waitOf = (input: unknown): number =>
  typeof input === "object" && input !== null && "wait" in input ? Number(input.wait) : 0;

it("close() under load replies to every request that the server has read, and truncates no reply", async () => {
  const counts: Record<string, number> = {};
  const lost: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const server = createServer({
      decisions: [sized],
      logger: false,
      // Only the server itself ends a connection here, however slow the machine.
      closeTimeoutMs: 600_000,
      keepAliveTimeoutMs: 600_000,
      requestTimeoutMs: 600_000,
      hooks: {
        beforeEvaluate: ({ input }) =>
          waitOf(input) > 0 ? new Promise((resolve) => setTimeout(resolve, waitOf(input))) : undefined,
      },
    });
    await server.listen(0, { host: "127.0.0.1" });
    const read = new Set<string>();
    const underLoad = new Promise<void>((resolve) => {
      server.handler.server.on("request", ({ headers }) => {
        read.add(String(headers["x-request-id"]));
        if (read.size === 100 + round * 20) resolve();
      });
    });
    const worker = new Worker(new URL("./kept-connections.mjs", import.meta.url), {
      workerData: { port: portOf(server.handler.server), clients: 16, round },
    });
    const reported = once(worker, "message");
    await underLoad;
    await server.close();
    const [outcomes]: readonly Record<string, string>[] = await reported;
    for (const [id, outcome] of Object.entries(outcomes ?? {})) {
      // Sent while the connection was being closed: by HTTP, the client must repeat such a request.
      const kind = outcome === "nothing" && !read.has(id) ? "never read" : outcome;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (kind === "nothing" || kind === "cut") lost.push(`${id}: ${kind}`);
    }
  }
  console.log(`five closes under 16 clients: ${JSON.stringify(counts)}`);
  expect(lost).toEqual([]);
  expect(counts["200"]).toBeGreaterThan(500);
});
