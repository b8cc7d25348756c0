import { services } from "./services.js";

/** Serves one service in a process of its own: `node serve.js <key>`. Says its port, and what it has used when asked. */
const key = process.argv[2] ?? "";
const service = services.find((candidate) => candidate.key === key);
if (service === undefined) {
  throw new RangeError(`no service "${key}"; there are ${services.map((known) => known.key).join(", ")}`);
}
const port = await service.listen();
if (process.send === undefined) {
  console.log(`${service.name}: http://127.0.0.1:${port}/decisions/loan-approval`);
} else {
  process.send({ port });
  process.on("message", (question) => {
    if (question === "cpu") {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpuMicroseconds: user + system });
      return;
    }
    globalThis.gc?.();
    process.send?.({ rss: process.memoryUsage.rss(), heapUsed: process.memoryUsage().heapUsed });
  });
  // The benchmark is gone: so is this.
  process.on("disconnect", () => process.exit(0));
}
