// A service with one decision that uses the processor for as many milliseconds as the first argument says.
import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import { Type } from "typebox";

const milliseconds = Number(process.argv[2]);
const empty = typebox(Type.Object({}));
const slow = defineDecision({
  id: "slow",
  version: "1.0.0",
  inputSchema: empty,
  outputSchema: empty,
  profileSchema: empty,
  rules: [
    {
      id: "busy",
      when: () => {
        const end = performance.now() + milliseconds;
        while (performance.now() < end);
        return true;
      },
      emit: () => ({}),
    },
  ],
});
await createServer({
  decisions: [slow],
  overload: { maxEventLoopDelayMs: 50 },
  // No client times out on a busy machine.
  requestTimeoutMs: 600_000,
  keepAliveTimeoutMs: 600_000,
}).listen(0, {
  host: "127.0.0.1",
});
