import fastify from "fastify";
import { loanRings } from "../../workload/loan-rings.js";
import { evaluateLoan } from "../plain-handler.js";
import { portOf } from "../port-of.js";

/**
 * Bare Fastify that parses the body, decides nothing and sends a prepared text: the least that a service on Fastify takes.
 *
 * @param together - whether the replies of one event-loop turn are written together, as those of Decern's hosts are
 */
export async function listen(together: boolean): Promise<number> {
  const [sample] = loanRings(1).find(({ name }) => name === "mix")?.samples ?? [];
  const text = JSON.stringify(evaluateLoan(sample?.input));
  const app = fastify();
  app.post("/decisions/loan-approval", (_request, reply) => {
    const write = () => reply.header("content-type", "application/json; charset=utf-8").send(text);
    if (together) setImmediate(write);
    else write();
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return portOf(app.server.address());
}
