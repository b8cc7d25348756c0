// A server that records. Its options are JSON, in its first argument: those of the decision log, and of its files.
import { defineDecision } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import { Type } from "typebox";

const { directory, files, ...options } = JSON.parse(process.argv[2]);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** `{ size }` to a text of that length, so that a test chooses how much a record takes. */
const sized = defineDecision({
  id: "sized",
  version: "1.0.0",
  inputSchema: typebox(Type.Object({ size: Type.Integer() })),
  outputSchema: typebox(Type.Object({ text: Type.String() })),
  profileSchema: typebox(Type.Object({})),
  rules: [{ id: "only", when: () => true, emit: (input) => ({ text: "x".repeat(input.size) }) }],
});

const counts = { written: 0, lost: 0, refused: 0 };
const logged = (level) => (details, message) =>
  say({ level, message, details: { ...details, error: String(details.error) } });
const log = decisionLog({ store: ndjsonFiles(directory, files), ...options });
const server = createServer({
  decisions: [sized],
  profiles: { sized: {} },
  log,
  logger: { error: logged("error"), warn: logged("warn"), info: logged("info") },
  observers: [
    {
      onEvaluated() {},
      onRecorded({ outcome, count }) {
        counts[outcome] += count;
        // Before the next reply leaves: a process that is killed has said what it had written.
        if (outcome === "written") say({ written: counts.written });
      },
    },
  ],
});
await server.listen(0, { host: "127.0.0.1" });
say({ port: server.handler.server.address().port });

process.on("message", async (request) => {
  if (request === "flush") await log.flush();
  // What is in use, without what was freed and not yet collected.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ counts, bytesInUse: heapUsed + external });
});
process.on("SIGTERM", async () => {
  await server.close();
  await log.close();
  process.exit(0);
});
