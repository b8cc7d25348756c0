import { warehousePlugin } from "@decern/warehouse/fastify";
import fastify from "fastify";
import { loanApproval } from "./decisions.js";

const app = fastify();
await app.register(warehousePlugin, {
  path: "/loans",
  engine: "bigquery",
  decision: loanApproval,
  profile: { minScore: 620, maxAmount: 50_000 },
  columns: ["amount", "score"],
  authenticate: "host",
  overload: { maxConcurrent: 16 },
});
await app.listen({ port: Number(process.env["PORT"] ?? 8080), host: "0.0.0.0" });
