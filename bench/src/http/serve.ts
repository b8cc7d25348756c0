import { decernServerVaried, services } from "./services.js";

/** Serves services in a process of its own: `node serve.js <key>...`. Says their ports, and what it has used when asked. */
const known = [...services, decernServerVaried];
const ports: number[] = [];
for (const key of process.argv.slice(2)) {
  const service = known.find((candidate) => candidate.key === key);
  if (service === undefined) {
    throw new RangeError(`no service "${key}"; there are ${known.map(({ key }) => key).join(", ")}`);
  }
  const port = await service.listen();
  ports.push(port);
  if (process.send === undefined) {
    console.log(`${service.name}: http://127.0.0.1:${port}/decisions/loan-approval`);
  }
}
if (process.send !== undefined) {
  process.send({ ports });
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
