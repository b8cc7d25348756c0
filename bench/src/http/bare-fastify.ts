import fastify from "fastify";
import { evaluateLoan, inputOf, statusOf } from "./plain-handler.js";

/** What the demo's start is measured against: `node bare-fastify.js <port>`. */
const app = fastify();
app.get("/", () => ({ name: "bare" }));
app.post("/decisions/loan-approval", (request, reply) => {
  const result = evaluateLoan(inputOf(request.body));
  reply.code(statusOf(result)).send(result);
});
await app.listen({ port: Number(process.argv[2]), host: "127.0.0.1" });
